import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Refusal } from '../domain/errors.ts';
import { collectStderr, ended, gitFailure, startGit } from './git.ts';
import type { GitRepository } from './git.ts';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** An object of the database. `bytes` is absent where the object is longer than was to be held. */
export interface GitObject {
  readonly oid: string;
  readonly type: ObjectType;
  readonly size: number;
  readonly sha256: string;
  readonly bytes: Buffer | undefined;
}

/** Type and size of an object. */
export type GitObjectInfo = Pick<GitObject, 'oid' | 'type' | 'size'>;

/** Reads objects through long-lived git processes. Close it, whatever happens. */
export interface ObjectReader {
  /**
   * An object by id or by a name that git can resolve; undefined where there is none. Its content is checked
   * against its id.
   * @param hold bytes up to which the content is kept; of more only size and SHA-256 are given
   * @throws Refusal CS1508 damaged; CS1502 git failed
   */
  read(name: string, hold: number): Promise<GitObject | undefined>;
  /** Type and size only. */
  info(name: string): Promise<GitObjectInfo | undefined>;
  /** Ends the processes. Reads that wait are refused. */
  close(): Promise<void>;
}

/** Requests on their way to git at once; more wait here, so that neither pipe fills up. */
const MAX_IN_FLIGHT = 64;

const HEADER = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) ([0-9]{1,16})$/;

/** Opens a reader; its processes start with the first question. */
export function openObjects(repository: GitRepository): ObjectReader {
  let closed = false;
  const open = (mode: '--batch' | '--batch-check'): Batch => {
    // Whoever asks on after another part of the same collection has failed must not start a process anew.
    if (closed) throw new Refusal('CS1502', 'The repository is closed.', { where: repository.root });
    return openBatch(repository, mode);
  };
  const contents = lazy(() => open('--batch'));
  const infos = lazy(() => open('--batch-check'));
  return {
    read: async (name, hold) => {
      const digest = createHash('sha256');
      const proof = createHash(repository.objectFormat);
      const chunks: Buffer[] = [];
      let held = false;
      const header = await contents.get().ask(name, {
        start: ({ type, size }) => {
          held = size <= hold;
          proof.update(`${type} ${size}\0`);
        },
        chunk: (chunk) => {
          digest.update(chunk);
          proof.update(chunk);
          if (held) chunks.push(Buffer.from(chunk)); // a copy: a slice would keep the whole chunk alive
        },
      });
      if (header === undefined) return undefined;
      if (proof.digest('hex') !== header.oid) {
        throw new Refusal('CS1508', `Object ${header.oid} is not what its name says.`, { where: repository.root });
      }
      return { ...header, sha256: digest.digest('hex'), bytes: held ? Buffer.concat(chunks) : undefined };
    },
    info: async (name) => infos.get().ask(name, undefined),
    close: async () => {
      closed = true;
      await Promise.all([contents.ifMade()?.close(), infos.ifMade()?.close()]);
    },
  };
}

interface Sink {
  start(header: GitObjectInfo): void;
  chunk(bytes: Buffer): void;
}

interface Batch {
  ask(name: string, sink: Sink | undefined): Promise<GitObjectInfo | undefined>;
  close(): Promise<void>;
}

interface Pending {
  readonly name: string;
  readonly sink: Sink | undefined;
  resolve(header: GitObjectInfo | undefined): void;
  reject(why: unknown): void;
}

// The protocol: a name a line; back comes "<id> <type> <size>", and with --batch the content and a line feed, or
// "<name> missing" or "<name> ambiguous" (git-cat-file(1), "Batch output").
function openBatch(repository: GitRepository, mode: '--batch' | '--batch-check'): Batch {
  const child = startGit(repository, ['cat-file', mode]);
  const complaints = collectStderr(child);
  const waiting: Pending[] = [];
  const asked: Pending[] = [];
  let failure: unknown;
  let parts: Buffer[] = [];
  let current: { header: GitObjectInfo; left: number; pending: Pending } | undefined;

  const fail = (why: unknown): void => {
    failure ??= why;
    const all = [...asked.splice(0), ...waiting.splice(0)];
    if (current !== undefined) all.unshift(current.pending);
    current = undefined;
    for (const pending of all) pending.reject(failure);
    child.kill();
  };

  const send = (): void => {
    while (failure === undefined && asked.length < MAX_IN_FLIGHT) {
      const next = waiting.shift();
      if (next === undefined) return;
      asked.push(next);
      child.stdin.write(`${next.name}\n`);
    }
  };

  const line = (text: string): void => {
    const pending = asked.shift();
    if (pending === undefined) return fail(answerFault(repository, text));
    const found = HEADER.exec(text);
    if (found === null) {
      if (text !== `${pending.name} missing` && text !== `${pending.name} ambiguous`) {
        asked.unshift(pending);
        return fail(answerFault(repository, text));
      }
      pending.resolve(undefined);
      return send();
    }
    const header = { oid: found[1] ?? '', type: found[2] as ObjectType, size: Number(found[3]) };
    if (mode === '--batch-check') {
      pending.resolve(header);
      return send();
    }
    pending.sink?.start(header);
    current = { header, left: header.size + 1, pending };
  };

  const take = (chunk: Buffer): void => {
    let at = 0;
    while (at < chunk.length && failure === undefined) {
      if (current === undefined) {
        const end = chunk.indexOf(0x0a, at);
        parts.push(chunk.subarray(at, end === -1 ? undefined : end));
        if (end === -1) return;
        const text = Buffer.concat(parts).toString('utf8');
        parts = [];
        at = end + 1;
        line(text);
        continue;
      }
      const { left, pending, header } = current;
      const length = Math.min(left, chunk.length - at);
      const content = Math.min(length, left - 1);
      if (content > 0) pending.sink?.chunk(chunk.subarray(at, at + content));
      at += length;
      current.left = left - length;
      if (current.left > 0) return;
      current = undefined;
      pending.resolve(header);
      send();
    }
  };

  child.stdout.on('data', take);
  child.stdin.on('error', () => undefined); // the end of the process says why
  const end = ended(child);
  end.then(
    (code) => fail(gitFailure(repository, 'cat-file', { code, stderr: complaints() })),
    (cause: unknown) => fail(cause),
  );

  return {
    ask: (name, sink) =>
      new Promise((resolve, reject) => {
        if (/[\n\0]/.test(name)) throw new TypeError('a name of an object on two lines');
        if (failure !== undefined) return reject(asError(failure));
        waiting.push({ name, sink, resolve, reject });
        send();
      }),
    close: async () => {
      const idle = asked.length === 0 && current === undefined;
      if (!idle) child.kill();
      else if (!child.stdin.writableEnded) child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await Promise.race([once(child, 'close'), end]);
    },
  };
}

function answerFault(repository: GitRepository, text: string): Refusal {
  return new Refusal('CS1502', `git cat-file answered what was not asked: ${text.slice(0, 200)}`, {
    where: repository.root,
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function lazy<T>(make: () => T): { get(): T; ifMade(): T | undefined } {
  let made: T | undefined;
  return { get: () => (made ??= make()), ifMade: () => made };
}

/** Runs `body` with a reader that is closed at the end, also where `body` fails. */
export async function withObjects<T>(
  repository: GitRepository,
  body: (objects: ObjectReader) => Promise<T>,
): Promise<T> {
  const objects = openObjects(repository);
  try {
    return await body(objects);
  } finally {
    await objects.close();
  }
}
