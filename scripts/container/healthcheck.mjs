// Whether the App answers, for the container's engine: exits with 0 where it lives.
const port = process.env['PORT'] ?? '3000';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4000) });
  process.exit(answer.ok ? 0 : 1);
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : 'no answer');
  process.exit(1);
}
