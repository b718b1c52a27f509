/** What a code means and what a person can do; one row a code, the source of docs/reference/errors.md. */
export interface CodeEntry {
  readonly title: string;
  readonly remedy: string;
}

/** The codes of Rapid OS 3.0.0 that its formats give to faults of a document or an operation. */
export const RAPID_CODES = {
  RAPID801: {
    title: 'Spec record or spec revision is malformed',
    remedy: 'Restore the spec from version control, or write a new revision with `countersign spec revise`.',
  },
  RAPID802: {
    title: "The spec's current revision is missing",
    remedy: 'Restore the revision folder from version control.',
  },
  RAPID803: { title: "A spec's manifest is malformed", remedy: 'Give what the message names, or restore spec.json.' },
  RAPID804: {
    title: 'Spec artifacts differ from their revision',
    remedy: 'Never edit a revision in place: restore it and use `countersign spec revise`.',
  },
  RAPID805: {
    title: 'Spec lifecycle does not allow this',
    remedy: 'Look at `countersign spec show` and set the status with `countersign spec status`.',
  },
  RAPID806: {
    title: 'Spec identity does not fit',
    remedy: 'Use an id of lower-case letters, digits and dashes (at most 63 characters) that is not taken.',
  },
  RAPID807: { title: 'No such spec', remedy: 'List the specs with `countersign spec list`.' },
  RAPID808: {
    title: 'Unsafe or unreadable spec path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1001: {
    title: 'Run record is malformed',
    remedy: 'Restore run.json from version control; never edit it by hand.',
  },
  RAPID1002: {
    title: 'Execution contract is malformed or was changed',
    remedy: 'Contracts are immutable: restore contract.json, or create a new run.',
  },
  RAPID1003: {
    title: 'Run and spec do not fit',
    remedy: 'Make the spec ready and create the run from it with `countersign run create`.',
  },
  RAPID1004: {
    title: 'Context snapshot is missing or was changed',
    remedy: 'Restore context.md and context-manifest.json of the run.',
  },
  RAPID1005: {
    title: 'Execution policy is malformed, or a class, risk or kind is unknown',
    remedy: 'Correct the value; `countersign policy show` prints the policy in force.',
  },
  RAPID1006: {
    title: 'Execution policy would be loosened',
    remedy: 'Ask for at least what the policy demands; a policy may only tighten the built-in one.',
  },
  RAPID1007: { title: 'No such run or state', remedy: 'List the runs with `countersign run list`.' },
  RAPID1008: {
    title: 'Unsafe or unreadable run or policy path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1009: {
    title: 'Run status cannot change like this',
    remedy: 'See the transitions in docs/reference/formats.md.',
  },
  RAPID1010: {
    title: 'Task cannot change like this',
    remedy: 'See the transitions in docs/reference/formats.md, and the tasks with `countersign run show`.',
  },
  RAPID1011: {
    title: 'A state of the run is missing',
    remedy: 'Restore the states folder of the run from version control.',
  },
  RAPID1012: { title: 'Run state is invalid', remedy: 'States are append-only: restore the states folder of the run.' },
  RAPID1013: {
    title: 'Gate cannot change like this',
    remedy: 'See the gates with `countersign run show`; only a waivable gate can be waived, and with a reason.',
  },
  RAPID1014: { title: 'A precondition does not hold', remedy: 'Address what the message names first.' },
  RAPID1101: { title: 'Unknown capability id', remedy: 'The eleven ids are listed by `countersign harness show`.' },
  RAPID1102: { title: 'Harness profile is malformed', remedy: 'Correct it; after an edit, delete its content_digest.' },
  RAPID1103: {
    title: 'No such harness',
    remedy: 'Write a profile with `countersign harness init <id>`, then `countersign harness lock`.',
  },
  RAPID1104: {
    title: 'Malformed harness id',
    remedy: 'Use lower-case letters, digits and dashes, at most 63 characters, starting with a letter or digit.',
  },
  RAPID1105: {
    title: 'Unsafe or unreadable profile or lock path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1106: {
    title: 'Declaration in a harness profile is malformed',
    remedy: 'Each capability is declared once, as supported, unsupported or unknown, with a reason.',
  },
  RAPID1110: {
    title: 'Compatibility is required and not given',
    remedy:
      "Declare the missing capabilities in the harness's profile if they are true, or use a harness that has them.",
  },
  RAPID1111: {
    title: 'Capability lock is missing or malformed',
    remedy: 'Write it with `countersign harness lock` and commit it.',
  },
  RAPID1112: {
    title: 'Capability lock is stale',
    remedy: 'Write it anew with `countersign harness lock` and have the change reviewed.',
  },
  RAPID1201: {
    title: 'Malformed evidence id or record name',
    remedy: 'Ids are given by the tool; remove `id` from the authoring input.',
  },
  RAPID1202: {
    title: 'Evidence record or authoring input is malformed',
    remedy: 'Give what the message names (`countersign evidence add --help`); restore changed records.',
  },
  RAPID1203: {
    title: 'Evidence does not belong to this run, contract, state or harness',
    remedy: 'Evidence binds to one state of one run; add it anew for this run.',
  },
  RAPID1204: {
    title: 'Unsafe evidence path',
    remedy: 'Name artifacts by a relative path inside the project, without links that leave it.',
  },
  RAPID1205: {
    title: 'Artifact is missing or was changed',
    remedy: 'Name a file that exists; restore an artifact that was changed, since its bytes are bound by digest.',
  },
  RAPID1206: { title: 'Evidence payload or kind is malformed', remedy: 'See `countersign evidence add --help`.' },
  RAPID1207: {
    title: 'Evidence refers to something that does not exist',
    remedy: 'Refer to tasks and gates of the contract and to known capabilities.',
  },
  RAPID1208: { title: 'Evidence numbering has a gap', remedy: 'Records are append-only: restore the missing one.' },
  RAPID1211: {
    title: 'Evidence would be overwritten or is repeated',
    remedy: 'Remove the orphan artifact folder, or name each artifact once.',
  },
  RAPID1221: {
    title: 'Report is malformed',
    remedy: 'Restore the reports folder; reports are written by `countersign eval run --write`.',
  },
  RAPID1222: { title: 'Report digest is wrong', remedy: 'Restore the report; never edit it.' },
  RAPID1223: {
    title: 'Report does not follow from run and evidence',
    remedy: 'Restore the run, its evidence and its reports together.',
  },
  RAPID1224: { title: 'Unsafe or unreadable report path', remedy: 'Remove links, and make the files readable UTF-8.' },
  RAPID1225: {
    title: 'A pass is required and the verdict is unverified',
    remedy: 'Add the evidence that the report names as missing.',
  },
  RAPID1226: { title: 'A pass is required and the verdict is fail', remedy: 'Mend what the failing evidence shows.' },
  RAPID1227: {
    title: 'Report is older than the latest state or evidence',
    remedy: 'Write a new one with `countersign eval run --write`.',
  },
  RAPID1228: { title: 'No such report', remedy: 'List the reports with `countersign eval list`.' },
  RAPID1229: { title: 'Report would be overwritten', remedy: 'Leave the revision out; the next number is taken.' },
} as const satisfies Record<string, CodeEntry>;

/** Countersign's own codes: 11xx strict reading, 12xx workspace, 13xx command line, 14xx configuration, 15xx checks and sources, 16xx GitHub, 17xx the Action, 18xx the App, 19xx set-up. */
export const CS_CODES = {
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
  CS1601: {
    title: 'GitHub cannot be reached',
    remedy: 'Run it again. Where it stays so: look at the status of GitHub, the proxy settings and the API address.',
  },
  CS1602: {
    title: 'GitHub does not accept the token',
    remedy: 'Give a token that is valid: in a workflow `github-token: ${{ github.token }}`, which is the default.',
  },
  CS1603: {
    title: 'The token lacks a permission',
    remedy: 'Add the line that the message shows to `permissions:` of the job, or grant it to the App.',
  },
  CS1604: {
    title: 'GitHub has no such thing, or the token may not see it',
    remedy: 'Look at the name in the message, and whether the token has read access to the repository.',
  },
  CS1605: {
    title: "GitHub's rate limit is used up",
    remedy: 'Run it again after the time that the message names.',
  },
  CS1606: {
    title: 'GitHub answered something else than it documents',
    remedy: 'Run it again. Where it stays so, report it with the call that the message names.',
  },
  CS1607: {
    title: 'GitHub refuses the request',
    remedy: "Look at the reason in the message, which is GitHub's own.",
  },
  CS1608: {
    title: 'Too many comments to look through',
    remedy: 'Set `comment: never`: the check tells the verdict too.',
  },
  CS1701: {
    title: 'Input of the Action cannot be used',
    remedy: 'See `action.yml` for what each input takes.',
  },
  CS1702: {
    title: 'The runner does not say what is needed',
    remedy: 'Start it as a step of a workflow: `uses:`, not `run:`.',
  },
  CS1703: {
    title: 'Event is not supported',
    remedy: 'Take `on:` from docs/examples, or start the job by one of the events that the message lists.',
  },
  CS1704: {
    title: 'Nothing to judge where something must be',
    remedy: 'Look at what the message names; a merge group without pull requests is never passed.',
  },
  CS1705: {
    title: 'The head moved',
    remedy: 'Nothing to do: the newer head has a run of its own. Run that one again where it is missing.',
  },
  CS1801: {
    title: 'The App cannot start with its settings',
    remedy: 'Set the environment variables that the message names; docs/how-to/run-the-app.md lists them all.',
  },
  CS1802: {
    title: 'The App cannot listen',
    remedy: 'Set HOST and PORT to an address that is free, or stop what listens there.',
  },
  CS1803: {
    title: 'Delivery is not as GitHub documents it',
    remedy: 'Look at the delivery in the settings of the App; where it is as it should be, report it.',
  },
  CS1804: {
    title: 'Another worker has taken over',
    remedy: 'Nothing to do: the other one goes on. Where it happens often, look at how long evaluations take.',
  },
  CS1811: {
    title: "The store's file cannot be used",
    remedy: 'Check the path, its permissions and the disk. A damaged file is replaced by a backup.',
  },
  CS1812: {
    title: "Another process uses the store's file",
    remedy: 'Stop that process, or give this one a file of its own. Several instances share a PostgreSQL instead.',
  },
  CS1813: {
    title: 'The store was written by a newer version',
    remedy: 'Run that version or a later one, or restore the backup that was made before the upgrade.',
  },
  CS1814: {
    title: 'The database cannot be reached',
    remedy:
      'It is tried again. Where it stays so: check that the database runs and that this machine may connect to it.',
  },
  CS1815: {
    title: 'The database refuses',
    remedy: "Look at the database's own reason in the message: a full disk, a password or a missing right, mostly.",
  },
  CS1816: {
    title: "The store's schema could not be brought up to date",
    remedy: "Nothing was changed. Correct what the database's message names, and start again.",
  },
  CS1817: {
    title: 'No usable place for the store',
    remedy: 'Set DATABASE_URL to the postgresql:// address of a PostgreSQL 15 or newer, or name a file for SQLite.',
  },
  CS1902: {
    title: 'The dependencies of this project could not be installed',
    remedy: "Read npm's messages above it, and check the network.",
  },
  CS1903: { title: 'No such task of this project', remedy: 'Use one of the tasks that the message lists.' },
  CS1901: { title: "No suitable Node.js for the project's own tasks", remedy: 'Install Node.js 24.15 or newer.' },
} as const satisfies Record<string, CodeEntry>;

export type RapidCode = keyof typeof RAPID_CODES;
export type CsCode = keyof typeof CS_CODES;
export type RefusalCode = RapidCode | CsCode;

/** Title and standard remedy of a code. */
export function codeEntry(code: RefusalCode): CodeEntry {
  return code in RAPID_CODES ? RAPID_CODES[code as RapidCode] : CS_CODES[code as CsCode];
}
