import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { currentState } from '../../src/domain/contracts/ledger.ts';
import { artifactFolder, recordPath, sealRecord } from '../../src/domain/evidence/record.ts';
import { numberedId } from '../../src/domain/identifiers.ts';
import { sha256, writeJson } from '../../src/domain/json/canonical.ts';
import { createRun } from '../../src/workspace/runs.ts';
import { createSpec, setSpecStatus } from '../../src/workspace/specs.ts';

/** A project with one run and many records. */
export interface EvidenceProject {
  readonly root: string;
  readonly runId: string;
  readonly remove: () => void;
}

/**
 * Makes a project whose run has as many records as asked, each with one artifact where `artifactBytes` is not 0.
 * The records are written directly: adding them one by one verifies all before it each time.
 */
export function evidenceProject(options: {
  readonly records: number;
  readonly artifactBytes: number;
}): EvidenceProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')));
  createSpec(root, 'bench', { title: 'Bench', mode: 'feature', implementation_tasks: ['Work'] });
  setSpecStatus(root, 'bench', 'ready');
  const run = createRun(root, { specId: 'bench', harness: 'codex' });
  const runId = run.record.id;
  const state = currentState(run);
  for (let n = 1; n <= options.records; n += 1) {
    const id = numberedId('E', n);
    const content = `${String(n).padStart(10, '0')}${'x'.repeat(Math.max(0, options.artifactBytes - 10))}`;
    const path = `${artifactFolder(runId, id)}/test.log`;
    if (options.artifactBytes > 0) write(root, path, content);
    const record = sealRecord({
      schema_version: 1,
      id,
      run_id: runId,
      contract_digest: run.contract.contract_digest,
      state_revision: state.revision,
      state_digest: state.content_digest,
      producer: 'ci',
      summary: `Result ${n}`,
      task_ids: ['T001'],
      gate_ids: ['gate.tests'],
      capability_ids: [],
      observation: { kind: 'test_result', payload: { suite: 'unit', exit_code: 0, passed: n, failed: 0, skipped: 0 } },
      artifacts:
        options.artifactBytes > 0 ? [{ path, sha256: sha256(content), size_bytes: Buffer.byteLength(content) }] : [],
    });
    write(root, recordPath(runId, id), writeJson(record));
  }
  return { root, runId, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
