import { describe, expect, it } from '@jest/globals';
import { checkVector } from './check.ts';
import { packedAreas, packedVectors } from './packed.ts';

describe('answers of Rapid OS 3.0.0', () => {
  it('has all areas', () => {
    expect(packedAreas()).toEqual([
      'contract',
      'evaluation',
      'evidence',
      'lock',
      'operations',
      'profiles',
      'report',
      'resolution',
      'state',
    ]);
  });

  describe.each(packedAreas())('%s', (area) => {
    it.each(packedVectors(area).map((vector) => ({ id: vector.id, vector })))('$id', ({ vector }) => {
      expect(checkVector(vector).difference).toBeUndefined();
    });
  });
});
