import * as z from 'zod';
import type { GitHubApi } from '../github/api.ts';
import { shaped } from '../github/graphql.ts';
import { ill, ok } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';

const CONFIG = 'GET /app/hook/config';
const DELIVERIES = 'GET /app/hook/deliveries';

/** Newest deliveries that are looked at: one page. */
const LOOKED_AT = 100;

const configShape = z.object({
  url: z.string().optional(),
  content_type: z.string().optional(),
  secret: z.string().optional(),
  insecure_ssl: z.union([z.string(), z.number()]).optional(),
});

const WHO = 'whoever owns the App';

/** How GitHub delivers to the App. @param page where its settings are. @throws Refusal CS16xx */
export async function webhookCheck(api: GitHubApi, page: string): Promise<Diagnosis> {
  const check = 'webhook';
  const { data } = await api.request(CONFIG);
  const { url = '', content_type: type, secret = '', insecure_ssl: insecure } = shaped(configShape, data, CONFIG);
  if (url === '') {
    return ill(check, 'fail', {
      ...{ detail: 'The App has no webhook.', why: 'It hears of nothing, and only its sweep finds pull requests.' },
      ...{ remedy: `Make it active at ${page}, with the App's address and WEBHOOK_SECRET.`, who: WHO },
    });
  }
  const faults = [
    ...(secret === '' ? [['no secret', 'anybody could send it events, so that it refuses all']] : []),
    ...(type === 'json' ? [] : [[`content type ${type ?? 'form'}`, 'it reads JSON only']]),
    ...(String(insecure ?? '0') === '0' ? [] : [['no TLS verification', 'events could be sent to somebody else']]),
  ];
  const plain = url.startsWith('https:') ? [] : [['an http address', 'events go over the network in the clear']];
  const all = [...faults, ...plain];
  if (all.length === 0) return ok(check, `${url}, json, signed, verified`);
  return ill(check, faults.length > 0 ? 'fail' : 'warn', {
    detail: `The webhook ${url} has ${all.map(([what]) => what).join(', ')}.`,
    why: `${all.map(([what, why]) => `With ${what} ${why}`).join('; ')}.`,
    ...{ remedy: `Correct it under Webhook at ${page}.`, who: WHO },
  });
}

const deliveryShape = z.array(
  z.object({
    guid: z.string(),
    delivered_at: z.string(),
    event: z.string(),
    status: z.string(),
    status_code: z.number(),
  }),
);

/** Whether deliveries arrive. @throws Refusal CS16xx */
export async function deliveriesCheck(api: GitHubApi, page: string): Promise<Diagnosis> {
  const check = 'deliveries';
  const { data } = await api.request(DELIVERIES, { per_page: LOOKED_AT });
  const all = shaped(deliveryShape, data, DELIVERIES);
  if (all.length === 0) {
    return ill(check, 'warn', {
      ...{ detail: 'GitHub has delivered nothing in the last days.', why: 'So it is not known whether events arrive.' },
      ...{ remedy: 'Comment on a pull request, and ask again.', who: 'anybody who may comment' },
    });
  }
  // Newest first: what was delivered again, and arrived then, is well.
  const newest = [...new Map(all.toReversed().map((one) => [one.guid, one])).values()].reverse();
  const failed = newest.filter(({ status_code: code }) => code < 200 || code >= 400);
  const [last] = failed;
  if (last === undefined) return ok(check, `the last ${newest.length} arrived`);
  const { status_code: code, status, event, delivered_at: at } = last;
  const answer = code === 0 ? status : `${code}`;
  return ill(check, newest[0] === last ? 'fail' : 'warn', {
    detail: `${failed.length} of the last ${newest.length} failed; the newest of them (${event}, ${at}): ${answer}.`,
    why: 'What does not arrive is judged only when the sweep asks GitHub for failed deliveries.',
    ...{ remedy: remedyOf(code, page), who: 'whoever runs the App' },
  });
}

function remedyOf(code: number, page: string): string {
  if (code === 0) return 'See that GitHub can reach the address: DNS, firewall, certificate, the App itself.';
  if (code === 401) return `Give GitHub (at ${page}) and the App the same WEBHOOK_SECRET.`;
  if (code === 404) return "Let the webhook's path be WEBHOOK_PATH, and the proxy in front pass it on.";
  return `See the delivery at ${page}/advanced, and the App's log by its id.`;
}
