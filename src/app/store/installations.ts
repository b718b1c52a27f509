import type { Database, Row } from './database.ts';
import { int, text, word } from './database.ts';
import type { Installation, InstallationStore, Repository } from './records.ts';

/** Where the App is installed. */
export function installationStore(db: Database): InstallationStore {
  return {
    putInstallation: ({ id, accountId, accountLogin, state, at }) =>
      db.transaction(async (sql) => {
        const put = await sql.all(PUT_INSTALLATION, [id, accountId, accountLogin, state, at]);
        if (put.length > 0 && state === 'deleted') await sql.all(`${LEAVE} where installation_id = $1`, [id]);
      }),

    installation: async (id) => {
      const [row] = await db.all('select * from installations where id = $1', [id]);
      return row === undefined ? undefined : installationOf(row);
    },

    installations: async ({ after = 0, limit }) => {
      const rows = await db.all('select * from installations where id > $1 order by id limit $2', [after, limit]);
      return rows.map(installationOf);
    },

    putRepository: ({ id, installationId, owner, name, state, at }) =>
      db.transaction(async (sql) => {
        const put = await sql.all(PUT_REPOSITORY, [id, installationId, owner, name, state, at]);
        if (put.length === 0) return;
        if (state === 'removed') await sql.all(`${LEAVE} where repository_id = $1`, [id]);
        else await sql.all('update pulls set installation_id = $2 where repository_id = $1', [id, installationId]);
      }),

    repository: async (id) => {
      const [row] = await db.all('select * from repositories where id = $1', [id]);
      return row === undefined ? undefined : repositoryOf(row);
    },

    repositories: async ({ installationId, after = 0, limit }) => {
      const rows = await db.all(PAGE, [installationId, after, limit]);
      return rows.map(repositoryOf);
    },
  };
}

const PUT_INSTALLATION = `
  insert into installations (id, account_id, account_login, state, at) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set account_id = excluded.account_id, account_login = excluded.account_login,
    state = excluded.state, at = excluded.at
  where excluded.at >= installations.at returning id`;

// A transfer is a removal from one installation and an addition to another, in any order: the removal concerns a
// repository only while it belongs to the installation that it was removed from.
const PUT_REPOSITORY = `
  insert into repositories (id, installation_id, owner, name, state, at) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update set installation_id = excluded.installation_id, owner = excluded.owner,
    name = excluded.name, state = excluded.state, at = excluded.at
  where excluded.at >= repositories.at
    and (excluded.state = 'active' or repositories.installation_id = excluded.installation_id)
  returning id`;

const PAGE = `
  select * from repositories where installation_id = $1 and state = 'active' and id > $2 order by id limit $3`;

const LEAVE = `update pulls set again = 0, status = case when status = 'running' then 'running' else 'idle' end`;

function installationOf(row: Row): Installation {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    accountLogin: text(row, 'account_login'),
    state: word(row, 'state', ['active', 'suspended', 'deleted']),
    at: int(row, 'at'),
  };
}

function repositoryOf(row: Row): Repository {
  return {
    id: int(row, 'id'),
    installationId: int(row, 'installation_id'),
    owner: text(row, 'owner'),
    name: text(row, 'name'),
    state: word(row, 'state', ['active', 'removed']),
    at: int(row, 'at'),
  };
}
