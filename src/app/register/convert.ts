import * as z from 'zod';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import { version } from '../../domain/version.ts';
import { createGitHub } from '../../github/client.ts';
import { shaped } from '../../github/graphql.ts';
import type { GitHubAddress } from './options.ts';

const CONVERT = 'POST /app-manifests/{code}/conversions';

const appShape = z.object({
  id: z.int().positive(),
  slug: z.string().min(1),
  html_url: z.string(),
  owner: z.object({ login: z.string() }).nullish(),
  pem: z.string().min(1),
  webhook_secret: z.string().nullable(),
});

/** The App as GitHub made it, with its secrets. */
export type MadeApp = z.infer<typeof appShape>;

/**
 * Ends the registration: the code is good for once, within an hour.
 * @throws Refusal CS1805; what it says never holds the code
 */
export async function convert(github: GitHubAddress, code: string): Promise<MadeApp> {
  const { api } = createGitHub({ baseUrl: github.api, userAgent: `countersign/${version()}` });
  try {
    const { data } = await api.request(CONVERT, { code });
    return shaped(appShape, data as unknown, CONVERT);
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    const said = cause.message.replaceAll(encodeURIComponent(code), '…').replaceAll(code, '…');
    throw new Refusal('CS1805', `GitHub did not hand the App over: ${cause.code} ${said}`, {
      remedy:
        `An App without a key may be left at ${github.web}/settings/apps (or in those of the organisation): delete it ` +
        'there, or make a new key and secret on its page. Then register again.',
    });
  }
}
