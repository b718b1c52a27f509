/** The beginning and the end of a long output. Both hold whole lines only, where anything was dropped between them. */
export interface BoundedOutput {
  readonly head: string;
  /** Empty where nothing was dropped. */
  readonly tail: string;
  /** Bytes of the whole output. */
  readonly totalBytes: number;
  /** Bytes that lie between head and tail and were not kept. */
  readonly droppedBytes: number;
}

/** Takes output in and keeps at most a number of bytes of it. */
export interface OutputTaker {
  readonly take: (chunk: Uint8Array) => void;
  readonly end: () => BoundedOutput;
}

/**
 * Keeps the first and the last half of `maxBytes`; memory is bounded by `maxBytes` however much comes.
 * @param maxBytes at least 2
 */
export function takeOutput(maxBytes: number): OutputTaker {
  const headLimit = Math.ceil(maxBytes / 2);
  const tailLimit = Math.max(1, maxBytes - headLimit);
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let totalBytes = 0;
  // A ring: the byte at `at` is the oldest one once it is full.
  let ring: Buffer | undefined;
  let at = 0;

  const takeTail = (chunk: Uint8Array): void => {
    ring ??= Buffer.allocUnsafeSlow(tailLimit);
    const last = chunk.subarray(Math.max(0, chunk.length - tailLimit));
    const room = Math.min(last.length, tailLimit - at);
    ring.set(last.subarray(0, room), at);
    ring.set(last.subarray(room), 0);
    at = (at + last.length) % tailLimit;
  };

  return {
    take: (chunk) => {
      totalBytes += chunk.length;
      const first = chunk.subarray(0, headLimit - headBytes);
      // A copy: a part of a chunk would keep all of it in memory.
      if (first.length > 0) head.push(Uint8Array.from(first));
      headBytes += first.length;
      if (first.length < chunk.length) takeTail(chunk.subarray(first.length));
    },
    end: () => {
      const start = Buffer.concat(head);
      const tailBytes = totalBytes - headBytes;
      if (ring === undefined) return { head: textOf(start), tail: '', totalBytes, droppedBytes: 0 };
      const kept =
        tailBytes <= tailLimit ? ring.subarray(0, tailBytes) : Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
      if (tailBytes <= tailLimit)
        return { head: textOf(Buffer.concat([start, kept])), tail: '', totalBytes, droppedBytes: 0 };
      // Half a line could hold half a secret, which nothing would recognise.
      const wholeHead = start.subarray(0, start.lastIndexOf(LF) + 1);
      const firstEnd = kept.indexOf(LF);
      const wholeTail = firstEnd < 0 ? kept.subarray(0, 0) : kept.subarray(firstEnd + 1);
      const droppedBytes = totalBytes - wholeHead.length - wholeTail.length;
      return { head: textOf(wholeHead), tail: textOf(wholeTail), totalBytes, droppedBytes };
    },
  };
}

const LF = 0x0a;

// Bytes that are no UTF-8 become U+FFFD: a log is for people.
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
