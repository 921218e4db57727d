-- Records of the notifier. Wallets are checksummed addresses; market: 0 standard, 1 micro, as in the index.

-- Only the hash of a token is kept.
create table notify.session (
  token_hash text primary key,
  wallet text not null,
  expires_at timestamptz not null,
  statement text
);
create index session_expires on notify.session (expires_at);
create index session_wallet on notify.session (wallet);

create table notify.statement (
  hash text primary key,
  wallet text not null,
  message text not null,
  signature text not null,
  issued_at bigint not null,
  expires_at bigint not null
);
create index statement_wallet on notify.statement (wallet, issued_at desc);

-- The last block of the index that the follower has read, and earlier ones, to find where the chain forked.
create table notify.cursor (
  market smallint primary key,
  number bigint not null,
  hash bytea not null,
  -- Events before this block tell nobody: a new notifier does not repeat the past.
  since bigint not null
);
create table notify.checkpoint (
  market smallint not null,
  number bigint not null,
  hash bytea not null,
  primary key (market, number)
);

-- The inbox. Rows are written in the transaction that moves the cursor. seq grows in the order of commits: writers take turns.
create table notify.notification (
  seq bigint generated always as identity primary key,
  id text not null unique,
  wallet text not null,
  market smallint not null,
  task bigint,
  kind text not null,
  urgency text not null,
  title text not null,
  text text not null,
  url text not null,
  deadline bigint,
  created_at bigint not null,
  data jsonb not null,
  -- The block that caused it.
  block bigint not null,
  -- With kind `corrected`: the id of what no longer holds.
  corrects text,
  is_corrected boolean not null default false,
  acknowledged_at timestamptz,
  stored_at timestamptz not null default now()
);
create index notification_wallet on notify.notification (wallet, seq);
create index notification_unread on notify.notification (wallet, seq) where acknowledged_at is null;
create index notification_task on notify.notification (market, task);
create index notification_block on notify.notification (market, block);

-- When a task must be looked at again although nothing happened: its next reminder is due.
create table notify.clock (
  market smallint not null,
  task bigint not null,
  due bigint not null,
  primary key (market, task)
);
create index clock_due on notify.clock (market, due);

-- Where a wallet wants its notifications. The target is encrypted; target_key is a keyed hash, only to find repeats.
create table notify.subscription (
  id text primary key,
  wallet text not null,
  channel text not null,
  target text not null,
  target_key text not null,
  -- Null: all kinds.
  kinds text[],
  -- Only a channel of rank 2 waits: it gets what was not acknowledged when its clock runs down.
  is_second boolean not null default false,
  verified_at timestamptz,
  -- Why nothing can be sent any more; null while it works.
  gone text,
  last_error text,
  created_at timestamptz not null default now(),
  unique (wallet, channel, target_key)
);
create index subscription_wallet on notify.subscription (wallet);

-- What is sent where. Deliveries of one lane, a subscription and a task, go out in the order of seq.
create table notify.delivery (
  seq bigint generated always as identity primary key,
  subscription text not null references notify.subscription on delete cascade,
  notification bigint not null references notify.notification on delete cascade,
  lane text not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  first_at timestamptz,
  ended_at timestamptz,
  error text,
  unique (subscription, notification)
);
create index delivery_pending on notify.delivery (subscription, lane, seq) where status = 'pending';
create index delivery_notification on notify.delivery (notification);

create table notify.saved_search (
  id text primary key,
  wallet text not null,
  market smallint not null,
  name text not null,
  query jsonb not null,
  created_at timestamptz not null default now()
);
create index saved_search_wallet on notify.saved_search (wallet);

-- Workers of the job queue that are alive. Jobs of others are taken over.
create table notify.worker (
  id text primary key,
  seen_at timestamptz not null default now()
);
