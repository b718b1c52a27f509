import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../src/app/metrics.ts';
import { SETTINGS } from '../../src/app/settings.ts';
import { CS_CODES } from '../../src/domain/codes.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'how-to', 'run-the-app.md'), 'utf8');

describe('the guide to the App', () => {
  it('names metrics that there are', async () => {
    const text = await createMetrics().text(undefined);
    const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const named = [...GUIDE.matchAll(/countersign_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(known).toContain(name);
  });

  it('names settings that there are', () => {
    const others = ['POSTGRES_PASSWORD', 'GH_TOKEN', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
    const named = [...GUIDE.matchAll(/`([A-Z]{2,20}_[A-Z_]{2,30})(?:=[^`]{0,100})?`/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(15);
    for (const name of named) expect([...Object.keys(SETTINGS), ...others]).toContain(name);
  });

  it('names codes that there are', () => {
    for (const [code] of GUIDE.matchAll(/CS1\d{3}/g)) expect(CS_CODES).toHaveProperty(code);
  });
});
