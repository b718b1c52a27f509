import type { RefusalCode } from '../codes.ts';
import { Refusal } from '../errors.ts';
import { coded, fault, listAt, nonBlankAt, objectAt, versionAt, wordAt } from '../fields.ts';
import { BUILTIN_REASONS, RESOLUTION_TEXTS } from '../format-texts.ts';
import { checkHarnessId, isDigest } from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { fileExists, folderExists, RAPID_OS, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import { compareCodePoints } from '../text/order.ts';
import { CAPABILITY_IDS, isCapabilityId } from './catalogue.ts';
import type { CapabilityId } from './catalogue.ts';

export const SUPPORT = ['supported', 'unsupported', 'unknown'] as const;
export type Support = (typeof SUPPORT)[number];

/** What a harness says of one capability. */
export interface Declaration {
  readonly capability_id: CapabilityId;
  readonly status: Support;
  readonly reason: string;
}

/** A harness profile as written; keys in the order of the format. */
export interface Profile {
  readonly schema_version: 1;
  readonly id: string;
  readonly capabilities: readonly Declaration[];
  readonly content_digest: string;
}

/** The profile in force for a harness and where it comes from. */
export interface ActiveProfile {
  readonly id: string;
  /** `.rapid-os/harnesses/<id>.json` or `builtin:<id>`. */
  readonly source: string;
  readonly profile_digest: string;
  readonly profile: Profile;
}

export const HARNESSES = `${RAPID_OS}/harnesses`;

/** Harnesses that have a built-in profile. */
export const BUILTIN_HARNESSES = ['antigravity', 'claude', 'codex', 'cursor', 'vscode'] as const;

const DECLARED_SUPPORTED: ReadonlySet<CapabilityId> = new Set<CapabilityId>([
  'context.consume',
  'repository.read',
  'workspace.current',
]);

/** A profile of given declarations, sorted and with its digest. */
export function makeProfile(id: string, declarations: readonly Declaration[]): Profile {
  const capabilities = [...declarations].sort((a, b) => compareCodePoints(a.capability_id, b.capability_id));
  const body = { schema_version: 1, id, capabilities } as const;
  return { ...body, content_digest: digestOf(body) };
}

/** The built-in profile of a harness, or undefined where it has none. */
export function builtinProfile(id: string): ActiveProfile | undefined {
  if (!BUILTIN_HARNESSES.some((builtin) => builtin === id)) return undefined;
  const declarations = CAPABILITY_IDS.map((capability): Declaration => ({
    capability_id: capability,
    status: DECLARED_SUPPORTED.has(capability) ? 'supported' : 'unknown',
    reason: BUILTIN_REASONS[capability].replace('<id>', id),
  }));
  return active(`builtin:${id}`, makeProfile(id, declarations));
}

/** What `harness init` writes for a harness without a built-in profile: everything unknown, to be filled in. */
export function templateProfile(id: string): Profile {
  return makeProfile(
    id,
    CAPABILITY_IDS.map((capability): Declaration => ({
      capability_id: capability,
      status: 'unknown',
      reason: 'Not yet declared: state what this harness can do and how you know.',
    })),
  );
}

/**
 * Reads a profile document.
 * @throws Refusal RAPID1102 (or `place.code`), RAPID1104 id, RAPID1101 capability id, RAPID1106 declaration
 */
export function readProfile(node: JsonNode, expectedId: string | undefined, place: JsonPlace): Profile {
  const object = objectAt(node, 'the profile', place, ['schema_version', 'id', 'capabilities'], ['content_digest']);
  versionAt(object, place);
  const idNode = object.get('id');
  if (typeof idNode !== 'string') throw fault(coded(place, innerCode(place, 'RAPID1104')), "'id' must be a text.");
  const id = checkHarnessId(idNode, innerCode(place, 'RAPID1104'));
  if (expectedId !== undefined && id !== expectedId) {
    throw fault(
      coded(place, innerCode(place, 'RAPID1102')),
      `'id' is '${id}', but the file is named for '${expectedId}'.`,
    );
  }
  const declarations = listAt(object, 'capabilities', place).map((item) => readDeclaration(item, place));
  const repeated = declarations.find(
    (one, index) => declarations.findIndex((other) => other.capability_id === one.capability_id) < index,
  );
  if (repeated !== undefined) {
    throw fault(
      coded(place, innerCode(place, 'RAPID1106')),
      `capability '${repeated.capability_id}' is declared twice in harness profile '${id}'.`,
    );
  }
  const profile = makeProfile(id, declarations);
  const digest = object.get('content_digest');
  if (digest !== undefined && (typeof digest !== 'string' || !isDigest(digest) || digest !== profile.content_digest)) {
    throw fault(place, `'content_digest' is not the digest of this profile (computed ${profile.content_digest}).`);
  }
  return profile;
}

function readDeclaration(node: JsonNode, place: JsonPlace): Declaration {
  const inner = coded(place, innerCode(place, 'RAPID1106'));
  const object = objectAt(node, 'a capability declaration', inner, ['capability_id', 'status', 'reason']);
  const id = object.get('capability_id');
  if (!isCapabilityId(id)) {
    const shown = typeof id === 'string' ? `'${id}'` : 'not a text';
    throw fault(
      coded(place, innerCode(place, 'RAPID1101')),
      `Invalid 'capability_id': ${shown} is no known capability.`,
    );
  }
  const status = wordAt(object, 'status', SUPPORT, inner);
  return { capability_id: id, status, reason: nonBlankAt(object, 'reason', inner) };
}

// Inside a lock every fault has the lock's code; on its own a profile's faults have codes by kind.
function innerCode(place: JsonPlace, code: RefusalCode): RefusalCode {
  return place.code === 'RAPID1111' ? 'RAPID1111' : code;
}

/** The project's own profile of a harness, or undefined where it has none. */
export function loadProjectProfile(project: Project, id: string): ActiveProfile | undefined {
  checkHarnessId(id);
  const path = `${HARNESSES}/${id}.json`;
  if (!folderExists(project, HARNESSES, 'RAPID1105') || !fileExists(project, path, 'RAPID1105')) return undefined;
  const node = readDocument(project, path, { unsafe: 'RAPID1105', malformed: 'RAPID1102' });
  const place = { code: 'RAPID1102', file: path, reading: project.reading } as const;
  return active(path, readProfile(node, id, place));
}

/**
 * The profile in force: the project's own, which replaces the built-in one wholly, else the built-in one.
 * @throws Refusal RAPID1103 where there is neither, RAPID1104 for a malformed id, a broken profile's own code
 */
export function loadProfile(project: Project, id: string): ActiveProfile {
  const found = loadProjectProfile(project, id) ?? builtinProfile(id);
  if (found === undefined) {
    throw new Refusal(
      'RAPID1103',
      `No harness '${id}': it has no built-in profile and ${HARNESSES}/${id}.json does not exist.`,
    );
  }
  return found;
}

function active(source: string, profile: Profile): ActiveProfile {
  return { id: profile.id, source, profile_digest: profile.content_digest, profile };
}

/** What a profile says of a capability; what it does not declare is unknown. */
export function declarationOf(profile: Profile, capability: CapabilityId): Declaration {
  const declared = profile.capabilities.find((one) => one.capability_id === capability);
  if (declared !== undefined) return declared;
  return { capability_id: capability, status: 'unknown', reason: RESOLUTION_TEXTS.undeclared(capability, profile.id) };
}
