/** An answer as it was, to be used again while GitHub says that nothing has changed. */
export interface StoredAnswer {
  readonly etag: string;
  /** Parsed JSON. */
  readonly body: unknown;
  /** The `link` header, by which further pages are found. */
  readonly link: string | undefined;
}

/**
 * Where answers are kept between evaluations. The keys hold media type and address, not who asked: answers are what
 * *one* installation may see, so that each has a store, or keys, of its own.
 */
export interface EtagStore {
  readonly get: (key: string) => Promise<StoredAnswer | undefined> | StoredAnswer | undefined;
  readonly set: (key: string, answer: StoredAnswer) => Promise<void> | void;
}

/** The key of an answer: the same address is answered differently for another media type. */
export const etagKey = (accept: string, url: string): string => `${accept} ${url}`;

/**
 * A store in memory.
 * @param most answers kept; the one used longest ago goes first
 */
export function memoryEtags(most: number): EtagStore {
  const answers = new Map<string, StoredAnswer>();
  return {
    get: (key) => {
      const found = answers.get(key);
      if (found !== undefined) {
        answers.delete(key);
        answers.set(key, found);
      }
      return found;
    },
    set: (key, answer) => {
      answers.delete(key);
      answers.set(key, answer);
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    },
  };
}
