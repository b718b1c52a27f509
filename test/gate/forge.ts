import { readContract } from '../../src/domain/contracts/contract.ts';
import type { Contract } from '../../src/domain/contracts/contract.ts';
import { readState } from '../../src/domain/contracts/state.ts';
import { writeJson } from '../../src/domain/json/canonical.ts';
import { readJson } from '../../src/domain/json/read.ts';
import type { SnapshotEntry } from '../../src/gate/facts.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { project } from './support.ts';

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
export type Draft = Mutable<Contract>;

/**
 * The documents of a run, not begun yet, whose contract is made by hand and fits its record and state: what an agent
 * would write that wants less asked of it. There is no evidence, since it would have to be made by hand as well.
 * @param edit changes the contract; class, risk, workspace, signals and gates are copied into its decision afterwards
 */
export function forged(edit: (contract: Draft) => void, options: GovernedOptions = {}): SnapshotEntry[] {
  const { runId, entries } = project({ ...options, until: 'created' });
  const folder = `.rapid-os/runs/${runId}`;
  const all = new Map(entries().map((entry) => [entry.path, entry]));
  const text = (path: string): string => all.get(path)?.text ?? '';
  const put = (path: string, content: string): void => void all.set(path, { path, mode: '100644', text: content });

  const contract = JSON.parse(text(`${folder}/contract.json`)) as Draft;
  const before = contract.contract_digest;
  edit(contract);
  const { classification, risk, workspace, risk_signals, gates } = contract;
  contract.decision = { ...contract.decision, classification, risk, workspace, risk_signals, gates };
  contract.contract_digest = '';
  const sealed = readContract(readJson(JSON.stringify(contract), place('RAPID1002')), place('RAPID1002'));
  put(`${folder}/contract.json`, writeJson(sealed));
  put(`${folder}/run.json`, text(`${folder}/run.json`).replace(before, sealed.contract_digest));

  const state = JSON.parse(text(`${folder}/states/0001.json`)) as Record<string, unknown>;
  state['gates'] = sealed.gates.map(({ id, kind, phase, required, waivable }) => ({
    id,
    kind,
    phase,
    required,
    waivable,
    disposition: 'pending',
    reason: '',
  }));
  state['tasks'] = sealed.tasks.map(({ id, description }) => ({ id, description, status: 'pending', reason: '' }));
  state['content_digest'] = '';
  const resealed = readState(readJson(JSON.stringify(state), place('RAPID1012')), place('RAPID1012'));
  put(`${folder}/states/0001.json`, writeJson(resealed));
  return [...all.values()];
}

function place(code: 'RAPID1002' | 'RAPID1012') {
  return { code, file: 'forged', reading: 'compatible' } as const;
}
