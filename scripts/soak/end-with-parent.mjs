// Loaded before a program whose standard input is its parent's pipe: ends it when the parent ends, however that does.
process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0));
process.stdin.resume();
process.stdin.unref?.();
