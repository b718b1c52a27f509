import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../fixtures');

/** A folder of examples of one rule: `ok.<rule>` holds what is no finding of it, `ng.<rule>` what is. */
export interface Fixture {
  readonly kind: 'ok' | 'ng';
  /** The rule's id. */
  readonly rule: string;
  readonly folder: string;
  /** A file's text; undefined where the fixture has none of that name. */
  readonly text: (file: string) => string | undefined;
  /** The same as JSON. */
  readonly json: (file: string) => unknown;
}

/** The fixtures of a check, such as `secrets`; every folder there has to be one. */
export function fixturesOf(check: string): Fixture[] {
  return readdirSync(join(ROOT, check)).map((name) => {
    const [, kind, rule] = /^(ok|ng)\.([a-z0-9-]+)$/.exec(name) ?? [];
    if (kind === undefined || rule === undefined) throw new Error(`${check}/${name} is no folder of examples`);
    return fixtureAt(join(ROOT, check, name), kind === 'ok' ? 'ok' : 'ng', `${check}/${rule}`);
  });
}

/** The cases of a fixture that has a folder for each. */
export function casesOf(fixture: Fixture): Fixture[] {
  return readdirSync(fixture.folder).map((name) => fixtureAt(join(fixture.folder, name), fixture.kind, fixture.rule));
}

function fixtureAt(folder: string, kind: Fixture['kind'], rule: string): Fixture {
  const text = (file: string): string | undefined =>
    existsSync(join(folder, file)) ? withoutSeams(readFileSync(join(folder, file), 'utf8')) : undefined;
  return {
    kind,
    rule,
    folder,
    text,
    json: (file) => {
      const content = text(file);
      return content === undefined ? undefined : (JSON.parse(content) as unknown);
    },
  };
}

// `{{a|b}}` stands for `ab`: no fixture holds the shape of a secret as a whole.
function withoutSeams(text: string): string {
  return text.replaceAll(/\{\{([^{}\n]*)\}\}/g, (_, pieces: string) => pieces.replaceAll('|', ''));
}
