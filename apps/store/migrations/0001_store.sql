-- Small records of the store. The bytes of parts are objects; whether an object is there decides, never a row alone.
-- Tasks are ids such as v2:micro:33, hashes hex, wallets checksummed addresses.

-- Only the hash of a token is kept.
create table store.session (
  token_hash text primary key,
  wallet text not null,
  expires_at timestamptz not null
);
create index session_expires on store.session (expires_at);

create table store.statement (
  hash text primary key,
  wallet text not null,
  message text not null,
  signature text not null,
  issued_at bigint not null,
  expires_at bigint not null
);
create index statement_wallet on store.statement (wallet, issued_at desc);

-- A task with bytes in the store. ended_at: when a sweep first saw that it had ended.
create table store.task (
  task text primary key,
  ended_at timestamptz
);

-- held_at is null while an upload runs, which already counts for the quota.
create table store.part (
  task text not null references store.task on delete cascade,
  sha256 text not null,
  size integer not null,
  held_at timestamptz,
  touched_at timestamptz not null default now(),
  primary key (task, sha256)
);
create index part_touched on store.part (touched_at);

create table store.bundle (
  hash text primary key,
  task text not null references store.task on delete cascade,
  author text not null,
  kind text not null,
  milestone integer not null,
  revision integer not null,
  is_public boolean not null,
  size bigint not null,
  descriptor bytea not null,
  stored_at timestamptz not null default now()
);
create index bundle_task on store.bundle (task, stored_at);

create table store.bundle_part (
  task text not null,
  sha256 text not null,
  bundle text not null references store.bundle on delete cascade,
  primary key (task, sha256, bundle)
);

-- Grants that were made after a bundle was stored. By author as well: nobody can replace another's grant with noise.
create table store.later_grant (
  bundle text not null references store.bundle on delete cascade,
  reader text not null,
  key text not null,
  author text not null,
  file bytea not null,
  stored_at timestamptz not null default now(),
  primary key (bundle, reader, key, author)
);

create table store.vault (
  wallet text primary key,
  file bytea not null,
  stored_at timestamptz not null default now()
);
