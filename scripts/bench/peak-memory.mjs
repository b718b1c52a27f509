// Preloaded into a benchmarked process: leaves its peak resident memory, in bytes, in a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env['COUNTERSIGN_PEAK_FILE'];
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
});
