import { writeJson } from '../domain/json/canonical.ts';
import type { GateReport } from '../gate/report.ts';
import type { ScanReport } from '../gate/scan-report.ts';

/**
 * The report as JSON text: two-space indentation, the report's order of keys, final newline. Optional fields
 * that are not given are left out.
 */
export function reportJson(report: GateReport | ScanReport): string {
  return writeJson(given(report));
}

function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, given(item)]])),
  );
}
