import { beforeAll, describe, expect, it } from '@jest/globals';
import { lockDifferences, loadLock, makeLock } from '../../src/domain/capabilities/lock.ts';
import { builtinProfile, templateProfile } from '../../src/domain/capabilities/profile.ts';
import { resolve } from '../../src/domain/capabilities/resolution.ts';
import { currentState, loadRun, stateAt } from '../../src/domain/contracts/ledger.ts';
import { loadRevision } from '../../src/domain/contracts/spec-store.ts';
import { normaliseSpec } from '../../src/domain/contracts/spec-content.ts';
import { recode, Refusal } from '../../src/domain/errors.ts';
import { loadReports, nextReportRevision, pickReport } from '../../src/domain/evaluation/report-store.ts';
import { portableTextFault, relativePathFault } from '../../src/domain/paths.ts';
import { validateDocuments } from '../../src/domain/validation.ts';
import {
  dropBound,
  edit,
  filesOf,
  loadEverything,
  PATHS,
  projectOf,
  sealManifest,
  textOf,
  unseal,
  writeFullSample,
} from '../support/documents.ts';
import type { Edited } from '../support/documents.ts';
import { codeOf, inTemp, RUN } from '../support/sample.ts';

let sample: Edited;
beforeAll(async () => {
  sample = await inTemp((root) => {
    writeFullSample(root);
    return filesOf(root);
  });
});

/** Replaces in a document by pattern; the pattern must fit. */
const change = (name: keyof typeof PATHS, from: RegExp, to: string) => (files: Edited) => {
  const found = from.exec(textOf(files, PATHS[name]))?.[0];
  if (found === undefined) throw new Error(`${PATHS[name]} has no ${String(from)}`);
  edit(files, PATHS[name], found, found.replace(from, to));
};
const manifest = (from: RegExp, to: string) => (files: Edited) => {
  change('manifest', from, to)(files);
  sealManifest(files);
};
const state = (from: RegExp, to: string) => (files: Edited) => {
  dropBound(files);
  change('state', from, to)(files);
  unseal(files, 'state');
};
const move = (from: keyof typeof PATHS, to: string) => (files: Edited) => {
  const content = files.get(PATHS[from]);
  if (content === undefined) throw new Error(`no ${from}`);
  files.set(to, content);
  files.delete(PATHS[from]);
};
const put = (path: string) => (files: Edited) => {
  files.set(path, Buffer.from('{}'));
};

const ROWS: readonly (readonly [string, (files: Edited) => void, string, string])[] = [
  ['manifest in an unknown mode', manifest(/"mode": "feature"/, '"mode": "dance"'), 'RAPID1004', "'dance'"],
  ['manifest of no harness id', manifest(/"harness": "codex"/, '"harness": "Codex"'), 'RAPID1004', "'Codex'"],
  ['manifest without room', manifest(/"max_chars": \d+/, '"max_chars": 0.0'), 'RAPID1004', 'max_chars'],
  [
    'manifest with a text as a count',
    manifest(/"compiled_chars": \d+/, '"compiled_chars": "1"'),
    'RAPID1004',
    'compiled_chars',
  ],
  ['manifest without a list', manifest(/"conflicts": \[\]/, '"conflicts": null'), 'RAPID1004', 'conflicts'],
  ['manifest with a number as its mode', manifest(/"mode": "feature"/, '"mode": 1'), 'RAPID1004', 'mode'],
  ['state with another task', state(/"description": "Write it"/, '"description": "Else"'), 'RAPID1012', "task 'T001'"],
  ['state with another gate', state(/"id": "gate.tests"/, '"id": "gate.other"'), 'RAPID1012', "gate 'gate.other'"],
  ['state with no gate id', state(/"id": "gate.tests"/, '"id": "tests"'), 'RAPID1012', "'tests'"],
  [
    'state with another kind of change',
    state(/"change_kind": "[^"]*"/, '"change_kind": "run.status.blocked"'),
    'RAPID1012',
    'run.status.active',
  ],
  ['state that changes nothing', state(/"status": "active"/, '"status": "prepared"'), 'RAPID1012', 'changes 0 things'],
  [
    'state in which two things change',
    state(/"status": "pending"/, '"status": "in_progress"'),
    'RAPID1012',
    'changes 2 things',
  ],
  [
    'state that changes only a reason',
    (files) => {
      state(/"status": "active"/, '"status": "prepared"')(files);
      edit(files, PATHS.state, '"reason": ""', '"reason": "new"');
    },
    'RAPID1012',
    "the reason of 'T001' changed",
  ],
  [
    'first state that is not prepared',
    (files) => {
      move('state', PATHS.state.replace('0003', '0001'))(files);
      edit(files, PATHS.state.replace('0003', '0001'), '"revision": 3', '"revision": 1');
      files.set(PATHS.state, Buffer.from(textOf(files, PATHS.state.replace('0003', '0001'))));
      dropBound(files);
      const text = textOf(files, PATHS.state).replace(/"content_digest": "[^"]*"/, '"content_digest": ""');
      files.set(PATHS.state.replace('0003', '0001'), Buffer.from(text));
    },
    'RAPID1012',
    "not 'prepared'",
  ],
  ['contract without a decision', change('contract', /"decision": \{/, '"decision": null, "x": {'), 'RAPID1002', "'x'"],
  [
    'contract with null as its decision',
    (files) => {
      const text = textOf(files, PATHS.contract).replace(/"decision": \{[\s\S]*?\n {2}\},/, '"decision": null,');
      files.set(PATHS.contract, Buffer.from(text));
    },
    'RAPID1002',
    'null',
  ],
  [
    'contract with a gate twice',
    change('contract', /\n {2}"gates": \[\n( {4}\{[^}]*\})/, '\n  "gates": [\n$1,\n$1'),
    'RAPID1002',
    'twice',
  ],
  [
    'run record that counts too far',
    change('run', /"current_state_revision": 3/, '"current_state_revision": 9007199254740993'),
    'RAPID1001',
    'too large',
  ],
  ['run record of another run', change('run', /"id": "sample-run"/, '"id": "other"'), 'RAPID1007', "'other'"],
  ['spec record of another spec', change('spec', /"id": "sample"/, '"id": "other"'), 'RAPID801', "'other'"],
  [
    'spec record with a number as id',
    change('spec', /"id": "sample"/, '"id": 1'),
    'RAPID801',
    "'id' must be a text, not an integer",
  ],
  ['revision of another spec', change('revision', /"spec_id": "sample"/, '"spec_id": "other"'), 'RAPID804', ''],
  [
    'revision without a digest of an artifact',
    change('revision', /"tasks.md": "[0-9a-f]*"/, '"tasks.md": ""'),
    'RAPID803',
    'tasks.md',
  ],
  ['revision with a number in a list', change('revision', /"scope": \[\]/, '"scope": [1]'), 'RAPID803', 'scope'],
  ['revision without a title', change('revision', /"title": "Sample"/, '"title": " "'), 'RAPID803', 'title'],
  ['revision of an unknown mode', change('revision', /"mode": "feature"/, '"mode": "dance"'), 'RAPID803', "'dance'"],
  [
    'revision with a path outside',
    change('revision', /"affected_paths": \[\]/, '"affected_paths": ["../x"]'),
    'RAPID803',
    "'../x'",
  ],
  [
    'policy that waives too much',
    change('policy', /"waivable_gate_ids": \[/, '"waivable_gate_ids": ["gate.baseline",'),
    'RAPID1006',
    'gate.baseline',
  ],
  [
    'policy with a number as a gate',
    change('policy', /"waivable_gate_ids": \[/, '"waivable_gate_ids": [1,'),
    'RAPID1005',
    'no text',
  ],
  [
    'policy with a number as a tag',
    change('policy', /"high_risk_tags": \[/, '"high_risk_tags": [1,'),
    'RAPID1005',
    'high_risk_tags',
  ],
  ['profile of another harness', change('profile', /"id": "codex"/, '"id": "cursor"'), 'RAPID1102', "'cursor'"],
  [
    'profile with a number as a capability',
    change('profile', /"capability_id": "git.inspect"/, '"capability_id": 1'),
    'RAPID1101',
    'not a text',
  ],
  ['record with no evidence id', change('record', /"id": "E001"/, '"id": "X"'), 'RAPID1201', "'X'"],
  [
    'record of another number',
    (files) => {
      change('record', /"id": "E001"/, '"id": "E002"')(files);
      edit(files, PATHS.record, 'artifacts/E001/', 'artifacts/E002/');
      unseal(files, 'record');
    },
    'RAPID1208',
    "'E002'",
  ],
  [
    'record of another run',
    (files) => {
      change('record', /"run_id": "sample-run"/, '"run_id": "other"')(files);
      edit(files, PATHS.record, `evidence/${RUN}/artifacts`, 'evidence/other/artifacts');
      unseal(files, 'record');
    },
    'RAPID1203',
    "'other'",
  ],
  [
    'record with a malformed digest',
    change('record', /"state_digest": "[0-9a-f]*"/, '"state_digest": "X"'),
    'RAPID1202',
    'state_digest',
  ],
  ['record with a negative size', change('record', /"size_bytes": \d+/, '"size_bytes": -1'), 'RAPID1205', 'negative'],
  ['record without a payload', change('record', /"payload": \{/, '"payload": null, "x": {'), 'RAPID1202', "'x'"],
  [
    'record with null as payload',
    (files) => {
      const text = textOf(files, PATHS.record).replace(/"payload": \{[^}]*\}/, '"payload": null');
      files.set(PATHS.record, Buffer.from(text));
    },
    'RAPID1206',
    'null',
  ],
  [
    'record that binds beyond the ledger',
    (files) => {
      change('record', /"state_revision": 3/, '"state_revision": 4')(files);
      unseal(files, 'record');
    },
    'RAPID1203',
    'beyond',
  ],
  [
    'artifact that is gone',
    (files) => {
      files.delete(PATHS.artifact);
    },
    'RAPID1205',
    'does not exist',
  ],
  [
    'artifact of another size',
    (files) => {
      files.set(PATHS.artifact, Buffer.from('x'));
    },
    'RAPID1205',
    'has 1 bytes',
  ],
  [
    'artifact of other bytes',
    (files) => {
      files.set(PATHS.artifact, Buffer.from('ALL TESTS PASSED\r\n'));
    },
    'RAPID1205',
    'SHA-256',
  ],
  [
    'artifact that is a folder',
    (files) => {
      files.delete(PATHS.artifact);
      put(`${PATHS.artifact}/x`)(files);
    },
    'RAPID1205',
    'not a regular file',
  ],
  [
    'artifact behind a link',
    (files) => {
      move('artifact', PATHS.artifact.replace('log.txt', 'z.txt'))(files);
      files.set(PATHS.artifact, { link: 'z.txt' });
    },
    'RAPID1204',
    'symlink',
  ],
  ['artifact too many', put(PATHS.artifact.replace('log.txt', 'more.txt')), 'RAPID1205', 'more.txt'],
  ['stray file among evidence', put(`.rapid-os/evidence/${RUN}/notes`), 'RAPID1202', 'notes'],
  ['stray file among artifacts', put(`.rapid-os/evidence/${RUN}/artifacts/notes`), 'RAPID1204', 'notes'],
  ['stray folder among records', put(`.rapid-os/evidence/${RUN}/records/E002.json/x`), 'RAPID1202', 'E002.json'],
  ['stray name among records', put(`.rapid-os/evidence/${RUN}/records/E2.json`), 'RAPID1201', 'E2.json'],
  ['stray name of an artifact folder', put(`.rapid-os/evidence/${RUN}/artifacts/E2/x`), 'RAPID1201', 'E2'],
  ['gap among records', put(`.rapid-os/evidence/${RUN}/records/E003.json`), 'RAPID1208', 'E002'],
  [
    'report of another rule set',
    change('report', /"ruleset_version": 1/, '"ruleset_version": 2'),
    'RAPID1221',
    'ruleset_version',
  ],
  [
    'report with an assertion twice',
    change('report', /"id": "task.T001.evidence"/, '"id": "run.lifecycle"'),
    'RAPID1221',
    'twice',
  ],
  [
    'report without the life cycle',
    change('report', /"id": "run.lifecycle"/, '"id": "run.other"'),
    'RAPID1221',
    'run.lifecycle',
  ],
  [
    'report with a malformed digest',
    change('report', /"state_digest": "[0-9a-f]*"/, '"state_digest": "X"'),
    'RAPID1221',
    'state_digest',
  ],
  [
    'report with a number as a capability',
    change('report', /"extra_capability_ids": \[\]/, '"extra_capability_ids": [1]'),
    'RAPID1221',
    'extra_capability_ids',
  ],
  ['report with a malformed evidence id', change('report', /"E001"/, '"X1"'), 'RAPID1221', "'X1'"],
  ['report with a number as an evidence id', change('report', /"E001"/, '1'), 'RAPID1221', 'no text'],
  [
    'report of another run',
    (files) => {
      change('report', /"run_id": "sample-run"/, '"run_id": "other"')(files);
      unseal(files, 'report');
    },
    'RAPID1223',
    "'other'",
  ],
  [
    'report of another contract',
    (files) => {
      change('report', /("contract_digest": ")[0-9a-f]{64}/, `$1${'0'.repeat(64)}`)(files);
      unseal(files, 'report');
    },
    'RAPID1223',
    'contract_digest',
  ],
  [
    'report of evidence that is not there',
    (files) => {
      change('report', /"E001"/, '"E009"')(files);
      unseal(files, 'report');
    },
    'RAPID1223',
    "'E009'",
  ],
  [
    'report of another state',
    (files) => {
      change('report', /"state_revision": 3/, '"state_revision": 9')(files);
      unseal(files, 'report');
    },
    'RAPID1223',
    'beyond',
  ],
  [
    'report whose text was changed',
    (files) => {
      change('report', /"reason": "/, '"reason": "Really. ')(files);
      unseal(files, 'report');
    },
    'RAPID1223',
    'not what an evaluation',
  ],
  ['stray folder among reports', put(`.rapid-os/evals/${RUN}/reports/0002.json/x`), 'RAPID1221', '0002.json'],
  ['stray name among reports', put(`.rapid-os/evals/${RUN}/reports/2.json`), 'RAPID1221', '2.json'],
  ['stray name without ending among reports', put(`.rapid-os/evals/${RUN}/reports/notes`), 'RAPID1221', 'notes'],
  ['stray file next to reports', put(`.rapid-os/evals/${RUN}/notes`), 'RAPID1221', 'notes'],
  ['gap among reports', put(`.rapid-os/evals/${RUN}/reports/0003.json`), 'RAPID1221', '0002.json'],
];

describe('documents that do not hold', () => {
  it.each(ROWS)('%s', (_name, edited, code, fragment) => {
    const files = new Map(sample);
    edited(files);
    expect(codeOf(() => loadEverything(projectOf(files, 'compatible')))).toBe(code);
    expect(() => loadEverything(projectOf(files, 'compatible'))).toThrow(fragment);
  });

  it('reports a ledger that does not hold as evidence that binds to nothing, or as a report that cannot be replayed', () => {
    const files = new Map(sample);
    edit(files, PATHS.state, '"status": "active"', '"status": "blocked"');
    unseal(files, 'state');
    expect(() => loadReports(projectOf(files, 'compatible'), RUN)).toThrow('binds to states that do not hold');
    for (const path of [...files.keys()]) if (path.startsWith('.rapid-os/evidence/')) files.delete(path);
    expect(() => loadReports(projectOf(files, 'compatible'), RUN)).toThrow('rest on states that do not hold');
  });
});

describe('choosing', () => {
  it.each([
    [0, 'RAPID1012'],
    [1.5, 'RAPID1012'],
    [3, 'no refusal'],
    [4, 'RAPID1007'],
  ])('state %d', (revision, code) => {
    const project = projectOf(sample, 'compatible');
    expect(codeOf(() => stateAt(project, loadRun(project, RUN), revision))).toBe(code);
  });

  it.each([
    ['1', 'no refusal'],
    ['0001.json', 'no refusal'],
    ['01.json', 'RAPID1221'],
    ['0', 'RAPID1221'],
    ['x', 'RAPID1221'],
    [2n, 'RAPID1228'],
  ])('report %p', (wanted, code) => {
    const verified = loadReports(projectOf(sample, 'compatible'), RUN);
    expect(codeOf(() => pickReport(verified, wanted))).toBe(code);
  });

  it.each([
    [1, 'RAPID1229'],
    [2, 'no refusal'],
    [3, 'RAPID1221'],
    [undefined, 'no refusal'],
  ])('the next report as %p', (insisted, code) => {
    const verified = loadReports(projectOf(sample, 'compatible'), RUN);
    expect(codeOf(() => nextReportRevision(verified, insisted))).toBe(code);
  });

  it('a revision of a spec', () => {
    const project = projectOf(sample, 'compatible');
    expect(loadRevision(project, 'sample', 1).revision).toBe(1);
    expect(codeOf(() => loadRevision(project, 'sample', 2))).toBe('RAPID802');
  });
});

describe('a lock', () => {
  it('shows what was added, removed and changed since', () => {
    const [codex, cursor, claude] = ['codex', 'cursor', 'claude'].map((id) => builtinProfile(id));
    if (codex === undefined || cursor === undefined || claude === undefined) throw new Error('no built-in profile');
    const profile = templateProfile('codex');
    const lock = makeLock([cursor, codex]);
    expect(lockDifferences(lock, [cursor, codex])).toEqual([]);
    expect(lockDifferences(lock, [claude, { ...codex, profile, profile_digest: profile.content_digest }])).toEqual([
      { harness: 'claude', change: 'added' },
      { harness: 'codex', change: 'changed' },
      { harness: 'cursor', change: 'removed' },
    ]);
    expect(lockDifferences(lock, [cursor, { ...codex, source: '.rapid-os/harnesses/codex.json' }])).toEqual([
      { harness: 'codex', change: 'changed' },
    ]);
  });

  it('must be in order, without repetition', () => {
    const lock = loadLock(projectOf(sample, 'compatible'));
    for (const [profiles, fragment] of [
      [[...lock.profiles].reverse(), 'not in order'],
      [[lock.profiles[0], lock.profiles[0]], 'locked twice'],
    ] as const) {
      const files = new Map(sample);
      files.set(PATHS.lock, Buffer.from(JSON.stringify({ ...lock, profiles })));
      expect(() => loadLock(projectOf(files, 'compatible'))).toThrow(fragment);
    }
  });
});

describe('resolution', () => {
  it('is unresolved where nothing is declared, and takes no unknown capability', () => {
    const project = projectOf(sample, 'compatible');
    const { contract } = loadRun(project, RUN);
    const profile = templateProfile('codex');
    const active = { id: 'codex', source: 'x', profile_digest: profile.content_digest, profile };
    expect(resolve(contract, active)).toMatchObject({ status: 'unresolved', satisfied: [], missing: [] });
    expect(codeOf(() => resolve(contract, active, ['fly']))).toBe('RAPID1101');
  });
});

describe('validation of all documents', () => {
  const faults = (edited: (files: Edited) => void) => {
    const files = new Map(sample);
    edited(files);
    return validateDocuments(projectOf(files, 'compatible')).faults.map(({ severity, code }) => `${severity} ${code}`);
  };

  it.each([
    ['nothing', () => undefined, []],
    [
      'a stale lock',
      (files: Edited) => {
        files.delete(PATHS.profile);
      },
      ['warning RAPID1112'],
    ],
    ['a broken profile and no staleness', change('profile', /"id": "codex"/, '"id": 1'), ['error RAPID1104']],
    ['a profile of no name', put('.rapid-os/harnesses/notes.txt'), ['error RAPID1102']],
    [
      'a broken spec and a broken policy',
      (files: Edited) => {
        files.set(PATHS.spec, Buffer.from('{'));
        files.set(PATHS.policy, Buffer.from('{'));
      },
      ['error RAPID1005', 'error RAPID801'],
    ],
    ['a run of no id', put('.rapid-os/runs/No Run/run.json'), ['error RAPID1001']],
    ['evidence of no run', put('.rapid-os/evidence/other/records/E001.json'), ['error RAPID1007']],
    ['an orphan', put(`.rapid-os/evidence/${RUN}/artifacts/E002/x`), ['warning RAPID1211']],
    [
      'a stale report',
      (files: Edited) => {
        for (const path of [...files.keys()]) if (path.startsWith('.rapid-os/evidence/')) files.delete(path);
      },
      ['error RAPID1223'],
    ],
  ])('finds %s', (_what, edited, expected) => {
    expect(faults(edited).sort()).toEqual([...expected].sort());
  });
});

describe('small rules', () => {
  it.each([
    ['', 'non-empty'],
    [7, 'non-empty'],
    ['a\u0000', 'U+0000'],
    [' a', 'white space'],
    ['a\\b', 'backslash'],
    ['/a', 'absolute'],
    ['c:a', 'drive'],
    ['a//b', 'segments'],
    ['./a', 'segments'],
    ['a/..', 'segments'],
  ])('no relative path: %p', (path, fragment) => {
    expect(relativePathFault(path)).toContain(fragment);
  });

  it.each([
    ['', 'non-empty'],
    [null, 'non-empty'],
    ['a\u0000', 'U+0000'],
    ['a\\b', 'backslash'],
    ['/a', "'/'"],
    ['A: yes', 'drive'],
    ['a/../b', "'..'"],
    ['a/b', "'/'"],
  ])('no portable name: %p', (text, fragment) => {
    expect(portableTextFault(text, 'no-slash')).toContain(fragment);
  });

  it('portable text may have slashes', () => {
    expect(portableTextFault('a/b')).toBeUndefined();
  });

  it('codes of this program are never turned into others', () => {
    const refuse = (code: 'CS1101' | 'RAPID801') => (): never => {
      throw new Refusal(code, 'no', { where: 'x', remedy: 'y' });
    };
    expect(codeOf(() => recode('RAPID1003', 'any', refuse('CS1101')))).toBe('CS1101');
    expect(codeOf(() => recode('RAPID1003', ['RAPID802'], refuse('RAPID801')))).toBe('RAPID801');
    expect(() => recode('RAPID1003', ['RAPID801'], refuse('RAPID801'))).toThrow(
      expect.objectContaining({ code: 'RAPID1003', where: 'x', remedy: 'y' }),
    );
    expect(() =>
      recode('RAPID1003', 'any', () => {
        throw new TypeError('defect');
      }),
    ).toThrow(TypeError);
  });

  it('a spec takes aliases of modes and drops what says nothing', () => {
    const content = normaliseSpec(
      { title: ' T ', mode: ' New_Feature ', scope: ['_Not specified._', ' a '], affected_paths: ['./a//b\\c', '.'] },
      'RAPID803',
    );
    expect(content).toMatchObject({ title: 'T', mode: 'feature', scope: ['a'], affected_paths: ['a/b/c'] });
    expect(codeOf(() => normaliseSpec({ title: 'T', mode: 'constructor' }, 'RAPID803'))).toBe('RAPID803');
  });

  it('a run without states is a defect, not a refusal', () => {
    const project = projectOf(sample, 'compatible');
    expect(() => currentState({ ...loadRun(project, RUN), states: [] })).toThrow(TypeError);
  });
});
