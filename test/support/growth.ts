/** Below this many milliseconds a measurement says nothing. */
const FLOOR = 2;
/** Four times as long may take this many times the time: 4 if linear, 16 if quadratic, and some for the machine's pauses. */
export const GROWTH_LIMIT = 10;
const SHORT = 60_000;
const ATTEMPTS = 5;

/**
 * How many times the time a text of four times the length takes, by the processor's clock. A pause of the machine makes
 * one measurement too long and never too short, so that the least of some counts.
 */
export async function growth(detect: (text: string) => unknown, unit: string, length = SHORT): Promise<number> {
  const [short = '', long = ''] = [length, 4 * length].map((size) => unit.repeat(Math.ceil(size / unit.length)));
  await milliseconds(detect, short);
  const least = { short: Infinity, long: Infinity };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    least.short = Math.min(least.short, await milliseconds(detect, short));
    least.long = Math.min(least.long, await milliseconds(detect, long));
    if (least.long <= GROWTH_LIMIT * Math.max(FLOOR, least.short)) break;
  }
  return least.long / Math.max(FLOOR, least.short);
}

async function milliseconds(detect: (text: string) => unknown, text: string): Promise<number> {
  const started = process.cpuUsage();
  await detect(text);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
