import type { Migration } from './migrations.ts';

/**
 * The schema, step by step. A step that was released is never changed: append another one. Both databases run the same
 * text; SQLite takes `bigint` for its integers and keeps what is declared `text` as it is.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `create table deliveries (
        id text primary key,
        event text not null,
        action text,
        installation_id bigint,
        repository_id bigint,
        pull_key text,
        received_at bigint not null,
        headers text not null,
        status text not null check (status in ('queued', 'running', 'done', 'poison')),
        accepted bigint not null,
        attempts bigint not null default 0,
        not_before bigint not null,
        token bigint not null default 0,
        worker text,
        lease_until bigint,
        outcome text,
        error text,
        ended_at bigint,
        payload text
      )`,
      `create index deliveries_due on deliveries (not_before, received_at, id) where status = 'queued'`,
      `create index deliveries_held on deliveries (lease_until) where status = 'running'`,
      `create index deliveries_ended on deliveries (ended_at) where status in ('done', 'poison')`,
      `create index deliveries_outcomes on deliveries (event, outcome) where status = 'done'`,
      `create table pruned_deliveries (
        event text not null,
        outcome text not null,
        count bigint not null,
        primary key (event, outcome)
      )`,

      `create table pulls (
        key text primary key,
        repository_id bigint not null,
        installation_id bigint not null,
        number bigint not null,
        reason text not null,
        head_sha text,
        status text not null check (status in ('idle', 'queued', 'running', 'poison')),
        again bigint not null default 0,
        priority bigint not null,
        not_before bigint not null,
        requested_at bigint not null,
        attempts bigint not null default 0,
        token bigint not null default 0,
        worker text,
        lease_until bigint,
        error text,
        ended_at bigint,
        closed_at bigint
      )`,
      `create index pulls_due on pulls (not_before) where status = 'queued'`,
      `create index pulls_held on pulls (lease_until) where status = 'running'`,
      `create index pulls_closed on pulls (closed_at) where closed_at is not null`,
      `create index pulls_poison on pulls (ended_at) where status = 'poison'`,
      `create index pulls_repository on pulls (repository_id)`,
      `create index pulls_installation on pulls (installation_id)`,
      `create table turns (repository_id bigint primary key, served bigint not null)`,
      `create index turns_served on turns (served)`,

      `create table evaluations (
        id text primary key,
        key text not null,
        token bigint not null,
        head_sha text not null,
        base_sha text not null,
        outcome text not null,
        word text,
        report_digest text not null,
        comment_id bigint,
        check_ids text,
        at bigint not null
      )`,
      `create index evaluations_newest on evaluations (key, token, at)`,
      `create index evaluations_at on evaluations (at)`,

      `create table publications (
        key text not null,
        kind text not null,
        target text not null,
        state text not null check (state in ('intent', 'done')),
        evaluation_id text not null,
        digest text not null,
        remote_id text,
        token bigint not null,
        begun_at bigint not null,
        done_at bigint,
        primary key (key, kind, target)
      )`,

      `create table decisions (
        id text primary key,
        seq bigint not null,
        comment_id bigint not null,
        key text not null,
        actor_id bigint not null,
        actor_login text not null,
        verb text not null,
        details text not null,
        head_sha text not null,
        contract_digest text,
        at bigint not null
      )`,
      `create index decisions_key on decisions (key, seq)`,
      `create table decision_voids (
        comment_id bigint primary key,
        at bigint not null,
        why text not null
      )`,
      `create table answers (
        comment_id bigint primary key,
        key text not null,
        begun_at bigint not null,
        answered_at bigint,
        remote_id text
      )`,
      `create index answers_key on answers (key)`,

      `create table installations (
        id bigint primary key,
        account_id bigint not null,
        account_login text not null,
        state text not null check (state in ('active', 'suspended', 'deleted')),
        at bigint not null
      )`,
      `create table repositories (
        id bigint primary key,
        installation_id bigint not null,
        owner text not null,
        name text not null,
        state text not null check (state in ('active', 'removed')),
        at bigint not null
      )`,
      `create index repositories_installation on repositories (installation_id, id)`,

      `create table sweeps (
        name text primary key,
        value text,
        next_at bigint not null,
        token bigint not null,
        worker text not null,
        lease_until bigint
      )`,
      `create table etags (
        installation_id bigint not null,
        url_digest text not null,
        etag text not null,
        used_at bigint not null,
        body text not null,
        primary key (installation_id, url_digest)
      )`,
      `create index etags_used on etags (used_at)`,
    ],
  },
  {
    version: 2,
    statements: [
      `create index pulls_head on pulls (repository_id, head_sha)`,
      `alter table evaluations add column awaits text`,
    ],
  },
];
