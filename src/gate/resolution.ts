import { lockedProfileOf, LOCK } from '../domain/capabilities/lock.ts';
import type { LockedProfile } from '../domain/capabilities/lock.ts';
import { loadProjectProfile } from '../domain/capabilities/profile.ts';
import { resolve } from '../domain/capabilities/resolution.ts';
import type { Resolution } from '../domain/capabilities/resolution.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Project } from '../domain/project.ts';
import type { BaseRules } from './base-rules.ts';
import type { Need } from './outcome.ts';

/** Resolves a contract against the base's lock; what stands in the way is added to `needs`. */
export function resolveLocked(rules: BaseRules, contract: Contract, needs: Need[]): Resolution | undefined {
  const run = contract.run_id;
  const { lock } = rules;
  if (lock === undefined) {
    // A lock that is there and unreadable has said so already.
    if (!rules.needs.some((need) => need.what.includes(LOCK))) {
      needs.push({
        outcome: 'unverified',
        what: `The base has no ${LOCK}, so nothing says what harness '${contract.harness}' can do.`,
        who: 'maintainer',
        how: 'Write it on the base branch: countersign harness lock',
        run,
      });
    }
    return undefined;
  }
  if (!lock.profiles.some((profile) => profile.id === contract.harness)) {
    needs.push({
      outcome: 'unverified',
      what: `Harness '${contract.harness}' is not in the base's lock.`,
      who: 'maintainer',
      how: `Write its profile and the lock on the base branch: countersign harness init ${contract.harness}, then countersign harness lock`,
      run,
    });
    return undefined;
  }
  const locked = lockedProfileOf(lock, contract.harness);
  needs.push(...staleness(rules.base, locked, run));
  const resolution = resolve(contract, locked);
  if (resolution.status !== 'compatible') {
    const outcome = resolution.status === 'incompatible' ? 'failed' : 'unverified';
    needs.push({
      outcome,
      what: `Run '${run}' is ${resolution.status} with harness '${contract.harness}': ${resolution.reasons.join('; ')}.`,
      who: 'maintainer',
      how: `If the harness can do it, declare that on the base branch (.rapid-os/harnesses/${contract.harness}.json, then countersign harness lock); else use another harness.`,
      run,
    });
  }
  return resolution;
}

// A lock that no longer says what the profiles beside it say was agreed on for another harness than the one in use.
function staleness(base: Project, locked: LockedProfile, run: string): Need[] {
  const relock = 'Look at the profile, then write the lock on the base branch:\n    countersign harness lock';
  try {
    const own = loadProjectProfile(base, locked.id);
    const fresh =
      own === undefined
        ? locked.source.startsWith('builtin:')
        : own.source === locked.source && own.profile_digest === locked.profile_digest;
    if (fresh) return [];
    const what = `The base's lock is stale: it is not made from the profile of harness '${locked.id}' that stands there.`;
    return [{ outcome: 'unverified', what, who: 'maintainer', how: relock, run }];
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const what = `The profile of harness '${locked.id}' at the base cannot be used: ${thrown.code} ${thrown.message}`;
    return [{ outcome: 'incomplete', what, who: 'maintainer', how: relock, run }];
  }
}
