import { describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/app/store/open.ts';
import { crashContract } from './contract-crash.ts';
import { deliveryContract } from './contract-deliveries.ts';
import { evaluationContract } from './contract-evaluations.ts';
import { recordContract } from './contract-records.ts';
import type { Lab } from './lab.ts';
import { claimRequest, delivery, T, withStore } from './lab.ts';

/** What every store keeps to. `runs`: how many cases of each property. */
export function storeContract(lab: Lab, runs: number): void {
  deliveryContract(lab);
  evaluationContract(lab, runs);
  recordContract(lab);
  crashContract(lab);

  describe('opening and closing', () => {
    it('finds again what was kept', async () => {
      const place = await lab.place();
      const first = await openStore(place);
      await first.acceptDelivery(delivery('d1'));
      await first.close();
      await first.close();
      const second = await openStore(place);
      expect(await second.claimDelivery(claimRequest())).toMatchObject({ id: 'd1' });
      await second.close();
    });

    it('refuses operations after it was closed, and finishes those before', () =>
      withStore(lab, async (store) => {
        const under = Array.from({ length: 20 }, (_, n) => store.acceptDelivery(delivery(`d${n}`)));
        const closed = store.close();
        expect(await Promise.all(under)).toEqual(under.map(() => 'stored'));
        await closed;
        await expect(store.ping()).rejects.toMatchObject({ code: 'CS1814' });
        await expect(store.claimEvaluation(claimRequest(T))).rejects.toMatchObject({ code: 'CS1814' });
      }));
  });
}
