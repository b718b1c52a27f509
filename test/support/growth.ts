/** Below this many milliseconds a measurement says nothing. */
const FLOOR = 2;
/** Four times as long may take this many times the time: 4 if linear, 16 if quadratic, and some for the machine's pauses. */
export const GROWTH_LIMIT = 10;
/**
 * Characters of the shorter text. V8 puts texts above 128 KiB into pages of their own, which costs much on some
 * machines; both have to be on one side of that.
 */
const SHORT = 200_000;
const ATTEMPTS = 12;

/** A text of about a length, in characters. */
export type Shape = (length: number) => string;

/**
 * How many times the time a text of four times the length takes, by the processor's clock. A pause of the machine makes
 * one measurement too long and never too short, so that the least of some counts.
 * @param shape of the text; a text itself is repeated
 * @param length of the shorter text
 */
export async function growth(
  detect: (text: string) => unknown,
  shape: string | Shape,
  length = SHORT,
): Promise<number> {
  const make = typeof shape === 'string' ? (size: number) => shape.repeat(Math.ceil(size / shape.length)) : shape;
  const [short, long] = [make(length), make(4 * length)];
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

/** Takes time by the square of the length, and stands for what a measurement has to notice. */
export function quadratic(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 100) for (let j = 0; j < text.length; j += 20) sum += text.charCodeAt(j);
  return sum;
}
