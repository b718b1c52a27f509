import { restart, useProxy } from './proxy.ts';
import { run } from './run.ts';

process.exitCode = useProxy(process.env) ? await restart(process.env) : await run(process.env);
