import type { FindingDraft } from '../finding.ts';
import { controlKind } from './paths.ts';
import type { ControlKind } from './paths.ts';
import { CONTROL_PLANE_RULES } from './rules.ts';
import type { ControlPlaneRule } from './rules.ts';

/** A changed file, with both names of a rename. */
export interface ChangedPath {
  readonly status: string;
  readonly path: string;
  readonly old_path?: string | undefined;
}

/** A changed file of the control plane. */
export interface ControlEdit {
  readonly path: string;
  readonly status: string;
  readonly kind: ControlKind;
}

/** The control plane's files that a change touches; moving one away touches its old place. */
export function controlEdits(files: readonly ChangedPath[], isConfigured: (path: string) => boolean): ControlEdit[] {
  return files.flatMap(({ status, path, old_path }) => {
    const names = old_path === undefined || status === 'copied' ? [path] : [old_path, path];
    return names.flatMap((name): ControlEdit[] => {
      const kind = controlKind(name, isConfigured);
      return kind === undefined ? [] : [{ path: name, status, kind }];
    });
  });
}

/** Findings for edits of the control plane: what is governed already, brought in, or not governed at all. */
export function controlFindings(
  edits: readonly ControlEdit[],
  situation: 'governed' | 'bootstrap' | 'ungoverned',
): FindingDraft[] {
  const rule: ControlPlaneRule =
    situation === 'governed'
      ? 'control-plane/edited'
      : situation === 'bootstrap'
        ? 'control-plane/bootstrap'
        : 'control-plane/ungoverned';
  const { severity, remedy } = CONTROL_PLANE_RULES[rule];
  return edits.map(({ path, status, kind }) => ({
    rule,
    severity,
    place: { at: 'file', path },
    subject: kind,
    message: `${path} (${kind}) is ${status}.`,
    remedy,
  }));
}
