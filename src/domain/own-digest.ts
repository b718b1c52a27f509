import { Refusal } from './errors.ts';
import { convertedAt, fault } from './fields.ts';
import { isDigest } from './identifiers.ts';
import type { JsonObject } from './json/node.ts';
import type { JsonPlace } from './json/read.ts';

/**
 * A document's digest of itself, compared with the computed one. An empty text skips the check in
 * compatible reading (Rapid OS does so for contracts, states, evidence and reports); strict reading refuses it.
 * @returns the computed digest
 */
export function ownDigestAt(object: JsonObject, key: string, computed: string, place: JsonPlace): string {
  const given = convertedAt(object, key, place);
  if (given === '') {
    if (place.reading === 'strict') {
      throw new Refusal('CS1105', `${place.file}: '${key}' is empty, so nothing protects the content.`, {
        where: place.file,
      });
    }
    return computed;
  }
  if (!isDigest(given)) throw fault(place, `'${key}' must be 64 lower-case hex digits.`);
  if (given !== computed) throw fault(place, `'${key}' is not the digest of this document (computed ${computed}).`);
  return computed;
}
