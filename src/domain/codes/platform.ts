import type { CodeEntry } from './entry.ts';

/** Codes of GitHub's API (CS16xx), the Action (CS17xx) and the App with its store (CS18xx). */
export const PLATFORM_CODES = {
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
  CS1805: {
    title: 'The App could not be registered',
    remedy: 'See what the message says; `node dist/app.mjs register --help` tells how it goes.',
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
} as const satisfies Record<string, CodeEntry>;
