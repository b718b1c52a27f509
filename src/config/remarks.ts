import type { Segment } from './problem.ts';
import type { Config, WrittenConfig } from './schema.ts';
import { valueAt } from './issues.ts';

export interface Remark {
  readonly path: readonly Segment[];
  readonly message: string;
}

/** Keys that are valid and have no effect where they stand, and entries that are repeated. */
export function remarksOn(config: Config, written: WrittenConfig): Remark[] {
  return [...withoutEffect(config, written), ...repeated(written, [])];
}

function withoutEffect(config: Config, written: WrittenConfig): Remark[] {
  const { runs, scope, secrets, attribution } = config;
  const rows: readonly (readonly [boolean, readonly Segment[], string])[] = [
    [runs.required === 'never', ['runs', 'exempt'], '`runs.required` is `never`'],
    [scope.enforce === 'off', ['scope', 'allow'], '`scope.enforce` is `off`'],
    [secrets.mode === 'off', ['secrets', 'files'], '`secrets.mode` is `off`'],
    [secrets.mode === 'off', ['secrets', 'allow'], '`secrets.mode` is `off`'],
    [
      attribution.mode !== 'require-disclosure',
      ['attribution', 'disclosure'],
      '`attribution.mode` is not `require-disclosure`',
    ],
    [config.publish === 'none', ['context'], '`publish` is `none`'],
  ];
  return rows
    .filter(([idle, path]) => idle && valueAt(written, path) !== undefined)
    .map(([, path, because]) => ({ path, message: `\`${path.join('.')}\` has no effect, since ${because}.` }));
}

function repeated(value: unknown, path: readonly Segment[]): Remark[] {
  if (typeof value !== 'object' || value === null) return [];
  // The words of a command may well repeat.
  if (path.join('.') === 'evidence.tests.setup') return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    repeated(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  if (!Array.isArray(value)) return inner;
  const seen = new Set<string>();
  return inner.concat(
    value.flatMap((item, index): Remark[] => {
      const text = JSON.stringify(item);
      if (!seen.has(text)) {
        seen.add(text);
        return [];
      }
      return [{ path: [...path, index], message: 'This entry repeats an earlier one.' }];
    }),
  );
}
