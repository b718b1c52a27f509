import { beforeAll, describe, expect, it } from '@jest/globals';
import { digestOf, quote, quoteAscii, sha256, writeJson } from '../../src/domain/json/canonical.ts';
import { readRevision } from '../../src/domain/contracts/spec.ts';
import { renderArtifacts } from '../../src/domain/contracts/spec-artifacts.ts';
import { readJson } from '../../src/domain/json/read.ts';
import { validateDocuments } from '../../src/domain/validation.ts';
import {
  dropBound,
  edit,
  filesOf,
  loadEverything,
  PATHS,
  projectOf,
  reseal,
  sealManifest,
  textOf,
  writeFullSample,
} from '../support/documents.ts';
import type { Edited } from '../support/documents.ts';
import { codeOf, inTemp } from '../support/sample.ts';

let sample: Edited;
beforeAll(async () => {
  sample = await inTemp((root) => {
    writeFullSample(root);
    return filesOf(root);
  });
});

const codes = (change: (files: Edited) => void): { compatible: string; strict: string } => {
  const files = new Map(sample);
  change(files);
  return {
    compatible: codeOf(() => loadEverything(projectOf(files, 'compatible'))),
    strict: codeOf(() => loadEverything(projectOf(files, 'strict'))),
  };
};

/** Documents that are JSON, and the code of their area for a malformed one. */
const DOCUMENTS = [
  'profile',
  'lock',
  'policy',
  'spec',
  'revision',
  'run',
  'contract',
  'manifest',
  'state',
  'record',
  'report',
] as const;

const accepted = 'no refusal';

describe('strict reading', () => {
  it('accepts what this program writes', () => {
    expect(codes(() => undefined)).toEqual({ compatible: accepted, strict: accepted });
  });

  // The manifest is bound by a digest of its text, so a changed one has to be sealed in the contract.
  const change = (files: Edited, name: (typeof DOCUMENTS)[number], from: string, to: string): void => {
    edit(files, PATHS[name], from, to);
    if (name === 'manifest') sealManifest(files);
  };

  describe.each(DOCUMENTS)('of %s', (name) => {
    it('refuses a repeated key, which compatible reading takes the last of', () => {
      const result = codes((files) => {
        change(files, name, '{\n', '{\n  "schema_version": 7,\n');
      });
      expect(result).toEqual({ compatible: accepted, strict: 'CS1101' });
    });

    it('sees that a key is repeated when it is written in escapes', () => {
      const result = codes((files) => {
        change(files, name, '{\n', '{\n  "schema\\u005fversion": 7,\n');
      });
      expect(result).toEqual({ compatible: accepted, strict: 'CS1101' });
    });

    it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s', (key) => {
      const result = codes((files) => {
        change(files, name, '{\n', `{\n  "${key}": {"schema_version": 1},\n`);
      });
      // Manifests are open objects; every other document is closed, and compatible reading refuses the key as unknown.
      expect(result.strict).toBe('CS1103');
      if (name === 'manifest') expect(result.compatible).toBe(accepted);
      else expect(result.compatible).toMatch(/^RAPID/);
    });

    it.each(['NaN', 'Infinity', '-Infinity'])('refuses the number %s', (word) => {
      const result = codes((files) => {
        change(files, name, '"schema_version": 1', `"schema_version": ${word}`);
      });
      expect(result.compatible).toMatch(/^RAPID/);
      expect(result.strict).toBe('CS1104');
    });

    it.each(['9007199254740992', '-9007199254740993', '1e400', '12345678901234567890.5'])(
      'refuses the number %s, beyond 2^53',
      (number) => {
        const result = codes((files) => {
          change(files, name, '"schema_version": 1', `"schema_version": ${number}`);
        });
        expect(result.compatible).toMatch(/^RAPID/);
        expect(result.strict).toBe('CS1109');
      },
    );

    it('refuses nesting deeper than 100, and still answers at any depth', () => {
      const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
      const at = (depth: number): string =>
        codes((files) => {
          change(files, name, '"schema_version": 1', `"schema_version": ${nested(depth)}`);
        }).strict;
      expect(at(99)).toMatch(/^RAPID/);
      expect(at(100)).toBe('CS1102');
      expect(at(200_000)).toBe('CS1102');
    });

    it('refuses a document over 8 MiB', () => {
      const result = codes((files) => {
        change(files, name, '{\n', `{${' '.repeat(8 * 1024 * 1024)}\n`);
      });
      expect(result).toEqual({ compatible: accepted, strict: 'CS1108' });
    });

    it('refuses a symbolic link, which compatible reading follows inside the folder', () => {
      const result = codes((files) => {
        const path = PATHS[name];
        const original = files.get(path);
        if (original === undefined) throw new Error('no such document');
        const beside = `${path}.original`;
        files.set(beside, original);
        files.set(path, { link: beside.slice(beside.lastIndexOf('/') + 1) });
      });
      // Folders of evidence and reports are listed, and listing refuses links and strange names in both readings.
      expect(result.strict).toBe('CS1107');
      if (name === 'record' || name === 'report') expect(result.compatible).toMatch(/^RAPID12/);
      else expect(result.compatible).toBe(accepted);
    });
  });

  it.each([
    ['contract', 'RAPID1002'],
    ['state', 'RAPID1012'],
    ['record', 'RAPID1202'],
    ['report', 'RAPID1222'],
  ] as const)('refuses an empty own digest of a %s', (name, wrong) => {
    const emptied = codes((files) => {
      edit(files, PATHS[name], own(files, name), '""\n}');
    });
    expect(emptied).toEqual({ compatible: accepted, strict: 'CS1105' });
    const other = codes((files) => {
      if (name === 'state') dropBound(files);
      edit(files, PATHS[name], own(files, name), `"${'0'.repeat(64)}"\n}`);
    });
    expect(other).toEqual({ compatible: wrong, strict: wrong });
  });

  it.each([
    ['null', 'null'],
    ['a list', '["a"]'],
    ['an object', '{"a": 1}'],
  ])('refuses %s where a text belongs, which compatible reading turns into text', (_what, value) => {
    const result = codes((files) => {
      dropBound(files);
      // Sealing writes the text that the value is turned into, so the value goes in before and after.
      setReason(files, value);
      reseal(files, 'state');
      setReason(files, value);
    });
    expect(result).toEqual({ compatible: accepted, strict: 'CS1106' });
  });

  it.each(['task_ids', 'gate_ids', 'capability_ids'])('refuses an object as the list %s', (key) => {
    const result = codes((files) => {
      const list = new RegExp(`"${key}": \\[[^\\]]*\\]`).exec(textOf(files, PATHS.record))?.[0] ?? '?';
      const item = key === 'gate_ids' ? '"gate.baseline": 1' : '';
      edit(files, PATHS.record, list, `"${key}": {${item}}`);
    });
    expect(result).toEqual({ compatible: accepted, strict: 'CS1106' });
  });

  it('refuses an object as the list of changed paths', () => {
    const result = codes((files) => {
      asFileChange(files, '{"src/a.ts": null}');
    });
    expect(result).toEqual({ compatible: accepted, strict: 'CS1106' });
  });

  it.each([
    ['a policy', 'policy', '"architectural_tags": [', '"architectural_tags": {}, "x": ['],
    ['a contract', 'contract', '"tasks": [', '"tasks": null, "x": ['],
    ['a report', 'report', '"assertions": [', '"assertions": {}, "x": ['],
  ] as const)('refuses an object or null as a list of %s in both readings', (_what, name, from, to) => {
    const { compatible, strict } = codes((files) => {
      edit(files, PATHS[name], from, to);
    });
    expect(compatible).toMatch(/^RAPID/);
    expect(strict).toMatch(/^RAPID/);
  });

  it.each(['context', 'tasks'] as const)('refuses CR line ends in the hashed text %s', (name) => {
    for (const end of ['\r\n', '\r']) {
      const result = codes((files) => {
        files.set(PATHS[name], Buffer.from(textOf(files, PATHS[name]).replaceAll('\n', end)));
      });
      expect(result).toEqual({ compatible: accepted, strict: 'CS1110' });
    }
  });

  it('refuses CR line ends in the context manifest, whose text is hashed', () => {
    const result = codes((files) => {
      files.set(PATHS.manifest, Buffer.from(textOf(files, PATHS.manifest).replaceAll('\n', '\r\n')));
    });
    expect(result).toEqual({ compatible: accepted, strict: 'CS1110' });
  });

  it('lets CR line ends be in documents whose content is hashed, and in artifacts', () => {
    const result = codes((files) => {
      for (const name of ['contract', 'state', 'record', 'lock'] as const)
        files.set(PATHS[name], Buffer.from(textOf(files, PATHS[name]).replaceAll('\n', '\r\n')));
    });
    expect(result).toEqual({ compatible: accepted, strict: accepted });
    expect(textOf(sample, PATHS.artifact)).toContain('\r\n');
  });

  const HIDDEN = [
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u00ad',
    '\ufe0f',
    '\u3164',
    '\u{e0061}',
    '\u{e0100}',
    '\u061c',
  ];

  it.each(HIDDEN.map((char) => [`U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`, char]))(
    'refuses the invisible character %s in a producer and names it',
    (point, char) => {
      const files = new Map(sample);
      dropReport(files);
      edit(files, PATHS.record, '"harness:codex"', quote(`tool${char}x`));
      reseal(files, 'record');
      expect(codeOf(() => loadEverything(projectOf(files, 'compatible')))).toBe(accepted);
      expect(() => loadEverything(projectOf(files, 'strict'))).toThrow(
        `'producer' holds the invisible character ${point}`,
      );
    },
  );

  it('lets visible characters of any script be', () => {
    const result = codes((files) => {
      dropReport(files);
      edit(files, PATHS.record, '"harness:codex"', '"werkzeug-é-проверка-測試-😀"');
      reseal(files, 'record');
    });
    expect(result).toEqual({ compatible: accepted, strict: accepted });
  });

  it.each([
    ['a changed path', (files: Edited) => asFileChange(files, '["src/a\u202e.ts"]')],
    ['an artifact path', hiddenArtifact],
    [
      'a reviewer',
      (files: Edited) =>
        asKind(files, 'review', '{"review_type": "peer", "outcome": "approved", "reviewer": "ann\u200b"}'),
    ],
    ['a tool', (files: Edited) => asKind(files, 'tool_invocation', '{"tool_id": "grep\u200b", "outcome": "success"}')],
    ['a delegate', (files: Edited) => asKind(files, 'delegation', '{"target": "ann\u200b", "outcome": "success"}')],
    ['an affected path', (files: Edited) => hiddenInSpec(files, 'affected_paths')],
    ['a tag', (files: Edited) => hiddenInSpec(files, 'tags')],
    ['a tag of the policy', hiddenInPolicy],
    ['a path prefix of the policy', (files: Edited) => edit(files, PATHS.policy, '"auth/"', '"auth/", "x\u200b/"')],
    ['a signal', hiddenSignal],
    ['a digest that nothing compares', lineEndInDigest],
  ])('refuses an invisible character in %s', (_what, change) => {
    expect(codes(change)).toEqual({ compatible: accepted, strict: 'CS1111' });
  });

  it('refuses links that no document leads to', () => {
    const files = new Map(sample);
    files.set('.rapid-os/notes/readme', { link: '../policy.json' });
    expect(validateDocuments(projectOf(files, 'compatible')).faults).toEqual([]);
    expect(validateDocuments(projectOf(files, 'strict')).faults).toMatchObject([
      { code: 'CS1107', where: '.rapid-os/notes/readme', severity: 'error' },
    ]);
  });

  it('refuses a folder of documents that is a link', () => {
    const result = codes((files) => {
      for (const path of [...files.keys()]) {
        const content = files.get(path);
        if (!path.startsWith('.rapid-os/runs/') || content === undefined) continue;
        files.set(path.replace('.rapid-os/runs/', '.rapid-os/moved/'), content);
        files.delete(path);
      }
      files.set('.rapid-os/runs', { link: 'moved' });
    });
    expect(result).toEqual({ compatible: accepted, strict: 'CS1107' });
  });
});

function setReason(files: Edited, value: string): void {
  const old = /"reason": .*\n {2}"content/.exec(textOf(files, PATHS.state))?.[0] ?? '?';
  edit(files, PATHS.state, old, `"reason": ${value},\n  "content`);
}

function own(files: Edited, name: 'contract' | 'state' | 'record' | 'report'): string {
  return /"[0-9a-f]{64}"\n\}\n$/.exec(textOf(files, PATHS[name]))?.[0].trimEnd() ?? '?';
}

function dropReport(files: Edited): void {
  files.delete(PATHS.report);
}

function asKind(files: Edited, kind: string, payload: string): void {
  dropReport(files);
  edit(files, PATHS.record, '"kind": "test_result"', `"kind": "${kind}"`);
  const old = /"payload": \{[^}]*\}/.exec(textOf(files, PATHS.record))?.[0] ?? '?';
  edit(files, PATHS.record, old, `"payload": ${payload}`);
  reseal(files, 'record');
}

// The digest covers the list of the keys; the file keeps the object.
function asFileChange(files: Edited, paths: string): void {
  asKind(files, 'file_change', `{"paths": ${paths}}`);
  if (!paths.startsWith('{')) return;
  const old = /"paths": \[[^\]]*\]/.exec(textOf(files, PATHS.record))?.[0] ?? '?';
  edit(files, PATHS.record, old, `"paths": ${paths}`);
}

function hiddenArtifact(files: Edited): void {
  dropReport(files);
  const path = PATHS.artifact.replace('log.txt', 'log\u202etxt');
  const bytes = files.get(PATHS.artifact);
  if (bytes === undefined) throw new Error('no artifact');
  files.set(path, bytes);
  files.delete(PATHS.artifact);
  edit(files, PATHS.record, PATHS.artifact, path);
  reseal(files, 'record');
}

function hiddenInSpec(files: Edited, key: 'affected_paths' | 'tags'): void {
  const place = { code: 'RAPID803', file: 'revision', reading: 'compatible' } as const;
  const revision = readRevision(readJson(textOf(files, PATHS.revision), place), place);
  const { content_digest: _old, ...body } = { ...revision, [key]: ['x\u200by'] };
  const artifacts = renderArtifacts(body);
  for (const [name, text] of Object.entries(artifacts))
    files.set(PATHS.revision.replace('revision.json', name), Buffer.from(text));
  const digests = Object.fromEntries(Object.entries(artifacts).map(([name, text]) => [name, sha256(text)]));
  const sealed = { ...body, artifact_digests: digests };
  const text = writeJson({ ...sealed, content_digest: digestOf(sealed, quoteAscii) }, quoteAscii);
  files.set(PATHS.revision, Buffer.from(text));
}

function hiddenInPolicy(files: Edited): void {
  edit(files, PATHS.policy, '"critical_risk_tags": [', '"critical_risk_tags": ["secret\u200b",');
}

function hiddenSignal(files: Edited): void {
  dropBound(files);
  const signals = '[{"id": "scope\u200b", "level": "high", "reason": "r", "source": "s"}]';
  // In the decision and at the top of the contract.
  for (let count = 0; count < 2; count += 1)
    edit(files, PATHS.contract, '"risk_signals": []', `"risk_signals": ${signals}`);
  reseal(files, 'contract');
}

function lineEndInDigest(files: Edited): void {
  dropBound(files);
  const digest = /"project_model_digest": "[0-9a-f]{64}/.exec(textOf(files, PATHS.contract))?.[0] ?? '?';
  edit(files, PATHS.contract, digest, `${digest}\\n`);
  reseal(files, 'contract');
  expect(textOf(files, PATHS.contract)).toContain('\\n",');
}
