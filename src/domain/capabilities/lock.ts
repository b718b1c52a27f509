import { Refusal } from '../errors.ts';
import { fault, listAt, objectAt, textAt, versionAt } from '../fields.ts';
import { checkHarnessId, isDigest } from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { fileExists, listFolder, RAPID_OS, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import { compareCodePoints, sortedUnique } from '../text/order.ts';
import { BUILTIN_HARNESSES, HARNESSES, loadProfile, readProfile } from './profile.ts';
import type { ActiveProfile, Profile } from './profile.ts';

export const LOCK = `${RAPID_OS}/capabilities.lock`;

/** All active profiles with their digests: what verdicts resolve against. */
export interface Lock {
  readonly schema_version: 1;
  readonly profiles: readonly LockedProfile[];
  readonly content_digest: string;
}

export interface LockedProfile {
  readonly id: string;
  readonly source: string;
  readonly profile_digest: string;
  readonly profile: Profile;
}

/** A lock of given profiles, sorted by id and with its digest. */
export function makeLock(profiles: readonly ActiveProfile[]): Lock {
  const entries = [...profiles].sort((a, b) => compareCodePoints(a.id, b.id)).map(lockedProfile);
  const body = { schema_version: 1, profiles: entries } as const;
  return { ...body, content_digest: digestOf(body) };
}

function lockedProfile({ id, source, profile_digest, profile }: ActiveProfile): LockedProfile {
  return { id, source, profile_digest, profile };
}

/**
 * Reads a lock document. Every fault of its content has one code.
 * @throws Refusal RAPID1111
 */
export function readLock(node: JsonNode, place: JsonPlace): Lock {
  const object = objectAt(node, 'the lock', place, ['schema_version', 'profiles', 'content_digest']);
  versionAt(object, place);
  const entries = listAt(object, 'profiles', place).map((item) => readEntry(item, place));
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (before === undefined) continue;
    const order = compareCodePoints(before.id, entry.id);
    if (order > 0) throw fault(place, `profiles are not in order of id: '${entry.id}' stands after '${before.id}'.`);
    if (order === 0) throw fault(place, `harness '${entry.id}' is locked twice.`);
  }
  const body = { schema_version: 1, profiles: entries } as const;
  const digest = textAt(object, 'content_digest', place);
  const computed = digestOf(body);
  if (digest !== computed)
    throw fault(place, `'content_digest' is not the digest of this lock (computed ${computed}).`);
  return { ...body, content_digest: digest };
}

function readEntry(node: JsonNode, place: JsonPlace): LockedProfile {
  const object = objectAt(node, 'a locked profile', place, ['id', 'source', 'profile_digest', 'profile']);
  const id = checkHarnessId(textAt(object, 'id', place), place.code);
  const source = textAt(object, 'source', place);
  if (source !== `builtin:${id}` && source !== `${HARNESSES}/${id}.json`) {
    throw fault(
      place,
      `'source' of harness '${id}' is '${source}': it must be 'builtin:${id}' or '${HARNESSES}/${id}.json'.`,
    );
  }
  const embedded = objectAt(object.get('profile') ?? null, `the profile of harness '${id}'`, place, [
    'schema_version',
    'id',
    'capabilities',
    'content_digest',
  ]);
  const profile = readProfile(embedded, undefined, place);
  if (profile.id !== id) throw fault(place, `the profile locked as '${id}' is the profile of '${profile.id}'.`);
  const digest = textAt(object, 'profile_digest', place);
  if (!isDigest(digest) || digest !== profile.content_digest) {
    throw fault(place, `'profile_digest' of harness '${id}' is not the digest of its profile.`);
  }
  return { id, source, profile_digest: digest, profile };
}

/** The lock of a project. @throws Refusal RAPID1111 (also where there is none), RAPID1105 */
export function loadLock(project: Project): Lock {
  const lock = loadLockIfAny(project);
  if (lock === undefined) throw new Refusal('RAPID1111', `${LOCK} does not exist.`, { where: LOCK });
  return lock;
}

/** The lock of a project, or undefined where there is none. */
export function loadLockIfAny(project: Project): Lock | undefined {
  if (!fileExists(project, LOCK, 'RAPID1105')) return undefined;
  const node = readDocument(project, LOCK, { unsafe: 'RAPID1105', malformed: 'RAPID1111' });
  return readLock(node, { code: 'RAPID1111', file: LOCK, reading: project.reading });
}

/** The locked profile of a harness. @throws Refusal RAPID1103 where the lock does not hold it */
export function lockedProfileOf(lock: Lock, harness: string): LockedProfile {
  const entry = lock.profiles.find((profile) => profile.id === harness);
  if (entry === undefined) throw new Refusal('RAPID1103', `Harness '${harness}' is not in ${LOCK}.`, { where: LOCK });
  return entry;
}

/**
 * The active profiles of every built-in and project harness, by id: what `harness lock` writes down.
 * @throws Refusal RAPID1105, RAPID1102 or RAPID1104 for the harness folder's entries; a bad profile's own code
 */
export function activeProfiles(project: Project): ActiveProfile[] {
  const ids = new Set<string>(BUILTIN_HARNESSES);
  for (const entry of listFolder(project, HARNESSES, 'RAPID1105')) {
    const path = `${HARNESSES}/${entry.name}`;
    if (entry.kind !== 'file') throw new Refusal('RAPID1105', `${path} is not a regular file.`, { where: path });
    if (!entry.name.endsWith('.json'))
      throw new Refusal('RAPID1102', `${path} is not named <harness id>.json.`, { where: path });
    const id = checkHarnessId(entry.name.slice(0, -'.json'.length));
    ids.add(id);
  }
  return sortedUnique(ids).map((id) => loadProfile(project, id));
}

/** One difference between a lock and the profiles in force. */
export interface LockDifference {
  readonly harness: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** How the profiles in force differ from the locked ones; empty where the lock is fresh. */
export function lockDifferences(lock: Lock, profiles: readonly ActiveProfile[]): LockDifference[] {
  const ids = sortedUnique([...lock.profiles, ...profiles].map((entry) => entry.id));
  return ids.flatMap((harness): LockDifference[] => {
    const locked = lock.profiles.find((entry) => entry.id === harness);
    const live = profiles.find((entry) => entry.id === harness);
    if (locked === undefined) return [{ harness, change: 'added' }];
    if (live === undefined) return [{ harness, change: 'removed' }];
    const same = locked.profile_digest === live.profile_digest && locked.source === live.source;
    return same ? [] : [{ harness, change: 'changed' }];
  });
}
