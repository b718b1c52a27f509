import { Refusal } from '../../domain/errors.ts';
import type { Clients } from '../clients.ts';
import type { MergeGroupEvent } from '../deliveries/payloads.ts';

export async function judgeMergeGroup(event: MergeGroupEvent, _tools: { readonly clients: Clients }): Promise<void> {
  return Promise.reject(new Refusal('CS1704', `not yet: ${event.merge_group.head_ref}`));
}
