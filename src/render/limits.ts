/**
 * Characters of a comment or of a pull request's body. The API answers 422 "body is too long (maximum is 65536
 * characters)"; no documentation says so.
 */
export const COMMENT_LIMIT = 65_536;

/**
 * Characters and UTF-8 bytes of a check run's `output.summary` and `output.text` (GitHub REST, "Create a check
 * run": 65535 characters). Measured: a summary of more bytes is refused, a text of more bytes is cut silently.
 */
export const CHECK_TEXT_LIMIT = 65_535;

/** Characters of a check run's `output.title` that we use: GitHub names no limit, its lists show one line. */
export const CHECK_TITLE_LIMIT = 255;

/** Characters of a commit status's `description` (GitHub REST, "Create a commit status"). */
export const STATUS_DESCRIPTION_LIMIT = 140;

/** Bytes of a step's job summary: 1 MiB, else the upload fails (GitHub, "Workflow commands: job summary"). */
export const JOB_SUMMARY_LIMIT = 1_048_576;

/** Annotations of one level that GitHub shows of a step (GitHub REST, "Check runs": 10 warnings, 10 errors). */
export const STEP_ANNOTATIONS_PER_LEVEL = 10;

/** Annotations of one request for a check run; one more is refused with 422 (GitHub REST, "Update a check run"). */
export const CHECK_ANNOTATIONS = 50;

/** Characters of an annotation's title (GitHub REST, "Create a check run": 255). */
export const ANNOTATION_TITLE_LIMIT = 255;

/** Characters of an annotation's message that we use; GitHub takes 64 KB (GitHub REST, "Create a check run"). */
export const ANNOTATION_MESSAGE_LIMIT = 2_000;

/** Results of a SARIF run that GitHub keeps, of 25,000 that it takes ("SARIF support for code scanning"). */
export const SARIF_RESULTS = 5_000;

/** Characters of a SARIF message that we use: with {@link SARIF_RESULTS} of them a file stays below 10 MB. */
export const SARIF_MESSAGE_LIMIT = 1_000;

/** Characters of a name (id, path, login, reference) in any text. */
export const NAME_LIMIT = 160;

/** Characters of a path that has to lead somewhere. */
export const PATH_LIMIT = 4_096;

/** Characters of a sentence that others may have had a hand in. */
export const SENTENCE_LIMIT = 400;

/** Characters of what is to be done, with its commands. */
export const REMEDY_LIMIT = 1_600;

/** Lines of what is to be done. */
export const REMEDY_LINES = 30;

/** UTF-8 bytes of a text. Never fewer than its characters, so a limit held in bytes holds in characters. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
