import { APP_MANIFEST } from '../../doctor/app-manifest.ts';
import type { RegisterOptions } from './options.ts';

/**
 * What is posted to GitHub as `manifest` (docs, "Registering a GitHub App from a manifest").
 * @param redirectUrl where GitHub sends the browser afterwards
 */
export function manifestFor({ webhookUrl }: Pick<RegisterOptions, 'webhookUrl'>, redirectUrl: string) {
  return {
    ...APP_MANIFEST,
    redirect_url: redirectUrl,
    // Without one GitHub makes no secret: it is told later, with one of our own.
    ...(webhookUrl === undefined ? {} : { hook_attributes: { url: webhookUrl, active: true } }),
  };
}

/** Where the manifest is posted to. */
export function registrationUrl({ github, organization }: RegisterOptions, state: string): string {
  const owner = organization === undefined ? '' : `/organizations/${encodeURIComponent(organization)}`;
  return `${github.web}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
}
