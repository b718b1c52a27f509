// Loaded before a program that runs with --expose-gc: collects garbage whenever the signal comes.
process.on('SIGWINCH', () => globalThis.gc?.());
