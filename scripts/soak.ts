// Heavy proofs, each with a summary; 1 where something does not hold.
//   npm run soak                     all of them, about an hour
//   npm run soak -- workspace [--runs N] [--fuzz N] [--kills N]
//   npm run soak -- app [--store sqlite|postgres] [--processes N] [--deliveries N] [--pulls N] [--kills N] [--outages N] [--faults PERCENT] [--seed N]
import { parseArgs } from 'node:util';
import { soakApp } from './soak/app.ts';
import type { AppSoakOptions } from './soak/app.ts';
import { soakWorkspace } from './soak/workspace.ts';

/** Bounds of each count: a soak ends, whatever it is told. */
const MOST = 10_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ runs: { type: 'string' }, fuzz: { type: 'string' }, kills: { type: 'string' } },
    ...{ store: { type: 'string' }, deliveries: { type: 'string' }, pulls: { type: 'string' } },
    ...{
      processes: { type: 'string' },
      outages: { type: 'string' },
      faults: { type: 'string' },
      seed: { type: 'string' },
    },
  },
});
const [part, ...more] = positionals;
if (more.length > 0 || (part !== undefined && part !== 'workspace' && part !== 'app')) usage('There is no such part.');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
}

let holds = true;
if (part !== 'app') {
  const counts = { runs: count('runs', 5000), fuzz: count('fuzz', 20_000), kills: count('kills', 100) };
  holds = soakWorkspace({ ...counts, progress });
}
for (const one of part === 'workspace' ? [] : appSoaks()) holds = (await app(one)) && holds;
process.exitCode = holds ? 0 : 1;

type Chosen = Omit<AppSoakOptions, 'progress' | 'signal'>;

/** What is asked for, or where nothing is: each store killed, PostgreSQL away, GitHub failing. */
function appSoaks(): readonly Chosen[] {
  const { store } = values;
  if (store !== undefined && store !== 'sqlite' && store !== 'postgres') usage('--store is sqlite or postgres.');
  const common = {
    ...{
      deliveries: count('deliveries', 2000),
      pulls: count('pulls', 200),
      kills: part === 'app' ? count('kills', 20) : 20,
    },
    ...{ processes: count('processes', 1), seed: count('seed', Date.now() % MOST) },
  };
  const asked = { ...common, outages: count('outages', 0), faults: count('faults', 0) / 100 };
  if (asked.faults > 0.9) usage('--faults is a number of percent up to 90.');
  if (asked.outages > 0 && store === 'sqlite') usage('--outages are of PostgreSQL.');
  if (asked.processes < 1 || asked.processes > 10) usage('--processes is a number from 1 to 10.');
  if (asked.processes > 1 && store === 'sqlite')
    usage('--processes are on PostgreSQL: a second one on a file is refused.');
  const named =
    store !== undefined ||
    values.processes !== undefined ||
    values.outages !== undefined ||
    values.faults !== undefined;
  if (named) return [{ ...asked, store: store ?? (asked.outages > 0 || asked.processes > 1 ? 'postgres' : 'sqlite') }];
  return [
    { ...asked, store: 'sqlite' },
    { ...asked, store: 'postgres' },
    { ...asked, store: 'postgres', kills: 0, outages: 10 },
    { ...asked, store: 'postgres', processes: 3 },
    { ...asked, store: 'sqlite', kills: 3, faults: 0.3 },
  ];
}

async function app(chosen: Chosen): Promise<boolean> {
  const { store, processes, kills, outages, faults, seed } = chosen;
  const many = processes > 1 ? `${processes} processes of the App` : 'App';
  const title = `${many} on ${store}, ${kills} kills, ${outages} outages, ${Math.round(faults * 100)} % of calls fail`;
  console.log(`\n${title}; seed ${seed}`);
  const { breaches, figures, folder } = await soakApp({ ...chosen, progress, signal: stop.signal });
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${name.padEnd(width)}  ${figure}`);
  for (const breach of breaches) console.log(`BREACH ${breach}`);
  console.log(
    breaches.length === 0 ? 'nothing lost, nothing doubled' : `${breaches.length} breaches; log in ${folder ?? ''}`,
  );
  return breaches.length === 0;
}

function count(name: keyof typeof values, otherwise: number): number {
  const text = values[name];
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= MOST) return number;
  return usage(`--${name} must be a number from 0 to ${MOST}, not ${text}`);
}

function usage(why: string): never {
  console.error(why);
  process.exit(2);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
