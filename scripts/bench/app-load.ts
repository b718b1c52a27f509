// Sends signed deliveries to an App, as many at once as connections are given, and prints figures as JSON:
// node app-load.ts URL SECRET COUNT CONNECTIONS FIRST FILE
// FILE holds JSON: [{ event, text }, …]. FIRST numbers the deliveries, so that a further run sends new ones.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { signature } from '../../src/sandbox/webhooks/deliver.ts';

const [url = '', secret = '', count = '0', connections = '1', first = '0', file = ''] = process.argv.slice(2);
const messages = (JSON.parse(readFileSync(file, 'utf8')) as { event: string; text: string }[]).map(
  ({ event, text }) => ({ event, bytes: Buffer.from(text), signed: signature(secret, text) }),
);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const times: number[] = [];
const statuses: Record<string, number> = {};

function send(number: number): Promise<number> {
  const message = messages[number % messages.length];
  if (message === undefined) throw new Error('There is nothing to send.');
  const { event, bytes, signed } = message;
  const headers = {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'x-github-delivery': `bench-${Number(first) + number}`,
    'x-github-event': event,
    'x-hub-signature-256': signed,
  };
  // A connection that is cut is counted as an answer of status 0.
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', () => resolve(0));
    sent.end(bytes);
  });
}

let next = 0;
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    for (let number = next++; number < Number(count); number = next++) {
      const from = performance.now();
      const status = await send(number);
      times.push(performance.now() - from);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }),
);
const seconds = (performance.now() - started) / 1000;
agent.destroy();
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
console.log(JSON.stringify({ perSecond: Number(count) / seconds, p50: at(0.5), p99: at(0.99), statuses }));
