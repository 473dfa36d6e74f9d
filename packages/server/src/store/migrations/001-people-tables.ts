import { sql } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

/** Tables of people: accounts, the built-in provider, tokens, and the audit log. */
export const peopleTables = [
  sql`create table people (id ${numberedKey}, key ${text} not null unique, name ${text})`,
  sql`
    create table accounts (
      id ${text} primary key,
      name ${text} not null unique,
      password ${text} not null,
      created_at ${integer} not null,
      sessions_ended_at ${integer} not null default 0,
      must_change ${integer} not null default 0
    )`,
  sql`
    create table provider_state (
      kind ${text} not null,
      id ${text} not null,
      payload ${text} not null,
      uid ${text},
      grant_id ${text},
      account_id ${text},
      consumed_at ${integer},
      expires_at ${integer} not null,
      constraint provider_state_key primary key (kind, id)
    )`,
  sql`create index provider_state_by_uid on provider_state (uid)`,
  sql`create index provider_state_by_grant_id on provider_state (grant_id)`,
  sql`create index provider_state_by_account_id on provider_state (account_id)`,
  sql`create index provider_state_by_expires_at on provider_state (expires_at)`,
  sql`create table provider_keys (name ${text} primary key, value ${text} not null)`,
  sql`
    create table sign_in_attempts (
      subject ${text} primary key,
      failures ${integer} not null,
      retry_at ${integer} not null,
      forget_at ${integer} not null
    )`,
  sql`create index sign_in_attempts_by_forget_at on sign_in_attempts (forget_at)`,
  sql`
    create table tokens (
      id ${numberedKey},
      sha256 ${text} not null unique,
      issuer ${text} not null,
      subject ${text} not null,
      username ${text},
      name ${text} not null,
      scope ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      used_at ${integer}
    )`,
  sql`create index tokens_by_person on tokens (subject, issuer, id)`,
  sql`
    create table audit_log (
      number ${integer} primary key,
      at ${integer} not null,
      what ${text} not null,
      subject ${text},
      name ${text},
      dataset_id ${integer},
      dataset ${text},
      entry ${text} not null,
      hash ${text} not null
    )`,
  sql`create index audit_log_of_dataset on audit_log (dataset_id, number)`,
  sql`
    create table audit_head (
      number ${integer} primary key,
      at ${integer} not null,
      hash ${text} not null
    )`,
  sql`insert into audit_head (number, at, hash) values (0, 0, ${sql.lit('0'.repeat(64))})`,
]
