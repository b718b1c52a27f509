import { DEFAULT_EXEMPT_BOTS } from '../checks/attribution/input.ts';
import type { AttributionOptions } from '../checks/attribution/input.ts';
import type { Config } from '../config/schema.ts';

/** Name under which a config's own identities and trailers are shown. */
const CONFIGURED = 'configured agent';

/** What the attribution check is told by the config. */
export function attributionOptions({ attribution }: Config, today?: string): AttributionOptions {
  const isAddress = (text: string): boolean => text.includes('@');
  const live = attribution.allow.filter(({ until }) => until === undefined || today === undefined || until >= today);
  return {
    mode: attribution.mode,
    extra: [
      {
        tool: CONFIGURED,
        addresses: attribution.identities.filter(isAddress),
        logins: attribution.identities.filter((text) => !isAddress(text)),
        trailerKeys: attribution.trailers,
      },
    ],
    allowKeys: attribution.allow_keys,
    allow: live.map(({ text, rule }) => (rule === undefined ? { text } : { text, rule })),
    exemptBots: [...DEFAULT_EXEMPT_BOTS, ...attribution.bots.map((login) => ({ login }))],
    disclosureTrailer: attribution.disclosure,
  };
}
