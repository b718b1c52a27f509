import { Refusal } from '../errors.ts';
import { anyObjectAt, countAt, fault, listAt, objectAt, textAt, versionAt } from '../fields.ts';
import { checkVisible, isDigest } from '../identifiers.ts';
import { digestOf, quoteAscii, sha256 } from '../json/canonical.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { renderArtifacts } from './spec-artifacts.ts';
import { ARTIFACT_NAMES, normaliseSpec, SPEC_LIST_KEYS, SPEC_TEXT_KEYS } from './spec-content.ts';
import type { ArtifactName, SpecContent, SpecDraft } from './spec-content.ts';

/** An immutable revision of a spec. */
export interface SpecRevision extends SpecContent {
  readonly schema_version: 1;
  readonly spec_id: string;
  readonly revision: number;
  readonly artifact_digests: Readonly<Record<ArtifactName, string>>;
  readonly content_digest: string;
}

/** A revision of given content, with the digests of its artifacts and its own. */
export function makeRevision(specId: string, revision: number, content: SpecContent): SpecRevision {
  const artifacts = renderArtifacts(content);
  const artifact_digests = {
    'requirements.md': sha256(artifacts['requirements.md']),
    'tasks.md': sha256(artifacts['tasks.md']),
    'acceptance.md': sha256(artifacts['acceptance.md']),
  };
  const body = { schema_version: 1, spec_id: specId, revision, ...content, artifact_digests } as const;
  return { ...body, content_digest: digestOf(body, quoteAscii) };
}

const REVISION_KEYS = [
  'schema_version',
  'spec_id',
  'revision',
  'title',
  'mode',
  ...SPEC_TEXT_KEYS,
  ...SPEC_LIST_KEYS,
  'affected_paths',
  'tags',
  'artifact_digests',
  'content_digest',
];

/**
 * Reads a revision's manifest and checks it against its own digests.
 * @throws Refusal RAPID803 (`place.code`) for its form, RAPID804 where content and digests disagree
 */
export function readRevision(node: JsonNode, place: JsonPlace): SpecRevision {
  const object = objectAt(node, 'the revision', place, REVISION_KEYS);
  versionAt(object, place);
  const lists = Object.fromEntries(
    [...SPEC_LIST_KEYS, 'affected_paths', 'tags'].map((key) => [key, textsAt(object, key, place)]),
  );
  const texts = Object.fromEntries(SPEC_TEXT_KEYS.map((key) => [key, textAt(object, key, place)]));
  const draft: SpecDraft = {
    title: textAt(object, 'title', place),
    mode: textAt(object, 'mode', place),
    ...texts,
    ...lists,
  };
  const content = normaliseSpec(draft, place.code);
  for (const key of ['affected_paths', 'tags'] as const) {
    for (const item of content[key]) checkVisible(item, `'${key}'`, place);
  }
  const made = makeRevision(textAt(object, 'spec_id', place), countAt(object, 'revision', 1, place), content);
  const digests = anyObjectAt(object.get('artifact_digests') ?? null, "'artifact_digests'", place);
  objectAt(digests, "'artifact_digests'", place, ARTIFACT_NAMES);
  for (const name of ARTIFACT_NAMES) {
    const given = textAt(digests, name, place);
    if (!isDigest(given)) throw fault(place, `'artifact_digests' has no digest for ${name}.`);
    if (given !== made.artifact_digests[name]) {
      throw new Refusal(
        'RAPID804',
        `${place.file}: ${name} of spec '${made.spec_id}' differs from what the revision says.`,
        {
          where: place.file,
        },
      );
    }
  }
  const given = textAt(object, 'content_digest', place);
  if (given !== made.content_digest) {
    throw new Refusal(
      'RAPID804',
      `${place.file}: 'content_digest' of spec '${made.spec_id}' is not the digest of the revision.`,
      {
        where: place.file,
      },
    );
  }
  return made;
}

function textsAt(object: JsonObject, key: string, place: JsonPlace): string[] {
  return listAt(object, key, place).map((item) => {
    if (typeof item !== 'string') throw fault(place, `'${key}' must be a list of texts.`);
    return item;
  });
}
