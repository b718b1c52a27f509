declare const __COUNTERSIGN_VERSION__: string | undefined;

/** The version of this program; from source, where no build has set it, `0.0.0-source`. */
export function version(): string {
  return typeof __COUNTERSIGN_VERSION__ === 'string' ? __COUNTERSIGN_VERSION__ : '0.0.0-source';
}
