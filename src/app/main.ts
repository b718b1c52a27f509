import { main } from './program.ts';

// Not left to end by itself: a call that waits for GitHub would keep the process for minutes.
process.exit(await main(process.argv.slice(2), process.env));
