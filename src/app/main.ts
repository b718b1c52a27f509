// Older ones lack SQLite and more, and would end with a stack trace of the first module that is missing.
const OLDEST = [24, 15] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `CS1304 This is Node.js ${process.versions.node}, and the App needs ${OLDEST.join('.')} or newer.\n`,
  );
  process.exit(3);
}
const { main } = await import('./program.ts');
// Not left to end by itself: a call that waits for GitHub would keep the process for minutes.
process.exit(await main(process.argv.slice(2), process.env));

export {};
