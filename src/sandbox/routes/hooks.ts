import { appCaller, idParam, queryText } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { ApiError, notFound, ok } from '../http/answer.ts';
import { cursorPage } from '../http/pages.ts';
import { iso } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Delivery } from '../state.ts';
import { redeliver } from '../webhooks/deliver.ts';

/** The shape `hook-delivery-item`. */
const item = (one: Delivery): JsonObject => ({
  id: one.id,
  guid: one.guid,
  delivered_at: iso(one.at),
  redelivery: one.redelivery,
  duration: one.duration,
  status: one.status,
  status_code: one.statusCode,
  event: one.event,
  action: one.action,
  installation_id: one.installationId,
  repository_id: one.repositoryId,
  throttled_at: null,
});

function own(call: Call): readonly Delivery[] {
  const { id } = appCaller(call);
  return call.sandbox.state.deliveries.filter(({ appId, status }) => appId === id && status !== 'pending');
}

function delivery(call: Call): Delivery {
  const found = own(call).find(({ id }) => id === idParam(call, 'delivery_id'));
  if (found === undefined) throw notFound();
  return found;
}

const succeeded = ({ statusCode }: Delivery): boolean => statusCode >= 200 && statusCode < 400;

export const HOOK_ROUTES = {
  'apps/get-webhook-config-for-app': (call) => {
    const { webhook } = appCaller(call);
    if (webhook === null) return ok({ content_type: 'json', insecure_ssl: '0' });
    const { url, secret, contentType = 'json', insecureSsl = false } = webhook;
    const shown = secret === '' ? {} : { secret: '********' };
    return ok({ content_type: contentType, insecure_ssl: insecureSsl ? '1' : '0', url, ...shown });
  },
  'apps/list-webhook-deliveries': (call) => {
    const status = queryText(call, 'status');
    const wanted = own(call)
      .filter((one) => status === undefined || succeeded(one) === (status === 'success'))
      .toReversed();
    const { items, headers } = cursorPage(call, wanted, 'cursor');
    return ok(items.map(item), headers);
  },
  'apps/get-webhook-delivery': (call) => {
    const found = delivery(call);
    return ok({
      ...item(found),
      url: found.url,
      request: { headers: found.requestHeaders, payload: JSON.parse(found.text) as JsonObject },
      response: { headers: found.response?.headers ?? null, payload: found.response?.payload ?? null },
    });
  },
  'apps/redeliver-webhook-delivery': (call) => {
    const app = appCaller(call);
    if (app.webhook === null) throw new ApiError(422, 'The app has no webhook.');
    redeliver(call.sandbox, app, delivery(call));
    return { status: 202, body: {} };
  },
} satisfies Routes;
