import type { CodeEntry } from './entry.ts';

/** Codes of what is read and done on this machine: documents, files, commands, git, the project's own tasks. */
export const LOCAL_CODES = {
  CS1101: { title: 'Repeated key in a JSON object', remedy: 'Keep one of them: readers differ on which one counts.' },
  CS1102: {
    title: 'JSON is nested too deeply',
    remedy: 'No document of these formats is nested more than a few levels.',
  },
  CS1103: {
    title: 'Reserved name as a JSON key',
    remedy: 'Remove the keys `__proto__`, `constructor` and `prototype`.',
  },
  CS1104: { title: 'NaN or an infinity in JSON', remedy: 'Write a number.' },
  CS1105: {
    title: 'Document carries an empty digest of its own',
    remedy: 'Write the document with the tool; an empty digest disables the check of its content.',
  },
  CS1106: { title: 'Null or an object where a text or a list belongs', remedy: 'Write a text or a list.' },
  CS1107: {
    title: 'Symbolic link under .rapid-os',
    remedy: 'Replace the link by the file; strict reading follows none.',
  },
  CS1108: { title: 'Document is too large', remedy: 'Keep documents under 8 MiB; put large output into artifacts.' },
  CS1109: { title: 'Number beyond 2^53', remedy: 'Use a number that every JSON reader keeps exactly.' },
  CS1110: {
    title: 'CRLF line ends in text that a digest covers',
    remedy: 'Commit the file with LF (`.rapid-os/** -text` in .gitattributes).',
  },
  CS1111: {
    title: 'Invisible or bidirectional character in an identifier or path',
    remedy: 'Remove the character that the message shows by its code point.',
  },
  CS1112: {
    title: 'Lone surrogate in a text',
    remedy: 'Write whole characters: half a surrogate pair cannot be encoded.',
  },
  CS1113: { title: 'Integer has too many digits', remedy: 'Keep integers under 4,300 digits.' },
  CS1201: {
    title: 'Path cannot be read or written',
    remedy: 'Check that it exists, its permissions, and that no part of it is a loop of links or too long.',
  },
  CS1202: {
    title: 'Another process is writing',
    remedy: 'Wait for it to end; remove the lock file that the message names only if no process uses it.',
  },
  CS1203: { title: 'Not a project', remedy: 'Run it inside a project, or name one with `--root`.' },
  CS1204: {
    title: 'A file of that name exists',
    remedy: 'Nothing was overwritten; remove or rename the file first if you mean to replace it.',
  },
  CS1205: {
    title: 'Nothing to repair, or it cannot be repaired safely',
    remedy: 'Restore the run folder from version control.',
  },
  CS1301: { title: 'Unknown or unfitting option value', remedy: 'See `--help` of the command.' },
  CS1302: {
    title: 'Nothing to inspect',
    remedy: 'Create a spec and a run first: `countersign spec create`, `countersign run create`.',
  },
  CS1303: { title: 'Document is not sound', remedy: 'Correct what the findings name.' },
  CS1304: {
    title: 'This Node.js is too old',
    remedy: 'Use Node.js 24.15 or newer for the Action and the App, 20 or newer for the command line.',
  },
  CS1305: {
    title: 'Test command cannot be used',
    remedy:
      'Write `test_command` in .rapid-os/config.json as a list of words, such as ["npm", "test"], or as one command without shell operators.',
  },
  CS1306: { title: 'No run, or several, to record evidence for', remedy: 'Name the run with `--run`.' },
  CS1307: {
    title: 'Command cannot be started, or its output cannot be taken',
    remedy: 'Check that the program is installed and on PATH. On Windows name the .exe: scripts need a shell.',
  },
  CS1308: {
    title: 'Command was ended before it was done',
    remedy: 'Nothing was recorded. Give it more time with `--timeout`, or look for what keeps it waiting.',
  },
  CS1309: {
    title: 'Commit message cannot be read',
    remedy: 'Have git run the hook: `countersign hook commit-msg "$1"`. What cannot be read is not let through.',
  },
  CS1401: {
    title: 'Configuration is invalid',
    remedy: 'Correct `.github/countersign.yml` where the message points; docs/reference/config.md lists every key.',
  },
  CS1402: {
    title: "The organisation's configuration cannot be read",
    remedy:
      'Check the name after `extends:`, that the file exists there, and that Countersign may read that repository.',
  },
  CS1403: {
    title: 'Path that leaves the repository',
    remedy: "Write the path from the repository's root, without '..' segments.",
  },
  CS1501: {
    title: 'Baseline of findings is malformed',
    remedy: 'Restore .github/countersign-baseline.json on the base; it is written by the tool, not by hand.',
  },
  CS1502: {
    title: 'git failed',
    remedy: 'Run the command that the message names by hand; nothing is known about what it was asked for.',
  },
  CS1503: { title: 'No git', remedy: 'Install git 2.31 or newer, and have its folder in PATH.' },
  CS1504: {
    title: "Not a git repository's top folder",
    remedy: 'Run it in the top folder of a git repository, or name that with `--root`.',
  },
  CS1505: {
    title: 'Unknown branch, tag or commit',
    remedy: 'Name one that `git rev-parse --verify` knows here; fetch it first if it is on a remote only.',
  },
  CS1506: {
    title: 'No common history',
    remedy: 'Judge two branches that share a commit. A branch that starts anew has nothing to be compared with.',
  },
  CS1507: {
    title: 'History is cut off',
    remedy: 'Fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in the checkout step.',
  },
  CS1508: {
    title: 'Object is missing or damaged',
    remedy: 'Fetch the whole repository, without a filter; `git fsck` tells what is missing.',
  },
  CS1510: {
    title: 'Facts cannot be used',
    remedy: 'Record them anew with `countersign evaluate --write-facts FILE`, by the same version of this program.',
  },
  CS1902: {
    title: 'The dependencies of this project could not be installed',
    remedy: "Read npm's messages above it, and check the network.",
  },
  CS1903: { title: 'No such task of this project', remedy: 'Use one of the tasks that the message lists.' },
  CS1901: { title: "No suitable Node.js for the project's own tasks", remedy: 'Install Node.js 24.15 or newer.' },
} as const satisfies Record<string, CodeEntry>;
