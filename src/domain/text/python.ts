import { isFloat, isInteger, isObject } from '../json/node.ts';
import type { JsonNode } from '../json/node.ts';

/**
 * Turns any JSON value into text as Rapid OS does for its text-converted fields (it is written in Python):
 * null is `None`, true is `True`, a list is `['a', 1]`.
 */
export function toText(node: JsonNode): string {
  return typeof node === 'string' ? node : represent(node);
}

function represent(node: JsonNode): string {
  if (node === null) return 'None';
  if (typeof node === 'boolean') return node ? 'True' : 'False';
  if (typeof node === 'string') return representText(node);
  if (isInteger(node)) return String(node);
  if (isFloat(node)) return representFloat(node.float);
  if (isObject(node))
    return `{${[...node].map(([key, value]) => `${representText(key)}: ${represent(value)}`).join(', ')}}`;
  return `[${node.map(represent).join(', ')}]`;
}

function representFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Python switches to an exponent outside 1e-4 ≤ |x| < 1e16; JavaScript outside 1e-6 ≤ |x| < 1e21.
  if (value !== 0 && (exponent < -4 || exponent >= 16)) {
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const plain =
    exponent < 0 ? value.toFixed(Math.min(100, -exponent + mantissa.replace(/[-.]/g, '').length - 1)) : String(value);
  return plain.includes('.') ? plain : `${plain}.0`;
}

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNPRINTABLE = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function representText(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(UNPRINTABLE, (char) => {
    const named = NAMED[char];
    if (named !== undefined) return named;
    const point = char.codePointAt(0) ?? 0;
    if (point < 0x100) return `\\x${point.toString(16).padStart(2, '0')}`;
    return point < 0x10000 ? `\\u${point.toString(16).padStart(4, '0')}` : `\\U${point.toString(16).padStart(8, '0')}`;
  });
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}
