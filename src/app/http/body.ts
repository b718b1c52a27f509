import type { IncomingMessage } from 'node:http';

/**
 * The raw bytes of a request's body. One that says or turns out to be longer than allowed is not read to its end: the
 * connection has to be closed after the answer.
 * @throws Error where the client goes away before the end
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too-large'> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return 'too-large';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
