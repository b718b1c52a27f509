const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const ENCODED = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*$/;

/** Whether a text is a URI: absolute, and without characters that must be encoded (RFC 3986). */
function isUri(text: string): boolean {
  return ENCODED.test(text) && URL.canParse(text);
}

/** The formats that GitHub's description uses. All are linear in the length of the text. */
export const FORMATS = {
  'date-time': (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
  uri: isUri,
  'uri-template': (text: string) => isUri(text.replaceAll(/[{}]/g, '')),
  // Bounded: on megabytes the runtime's matcher may run out of stack. Lengths as in RFC 5321 and of GitHub's names.
  email: (text: string) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  'repo.nwo': (text: string) => /^[^\s/]{1,100}\/[^\s/]{1,100}$/.test(text),
};
