-- What clients pointed at and the chain bore out. Rows are only ever added: a row names one log of one block, and it counts
-- while that block is on the chain, so a reorganisation takes back what it proved without a row being touched.
-- market: 0 standard, 1 micro. Addresses and hashes are bytea, times unix seconds.

create table posting.post (
  market smallint not null,
  block bigint not null,
  hash bytea not null,
  log_index integer not null,
  tx bytea not null,
  poster bytea not null,
  task bigint not null,
  posted_at bigint not null,
  recorded_at timestamptz not null default now(),
  primary key (market, hash, log_index)
);
create index post_poster on posting.post (market, poster, posted_at);

-- One log is one grant. Topics and data say what was paid; the columns after them are read from these.
create table posting.payment (
  market smallint not null,
  block bigint not null,
  hash bytea not null,
  log_index integer not null,
  tx bytea not null,
  topics bytea not null,
  data bytea not null,
  beneficiary bytea not null,
  tier text not null,
  paid_until bigint not null,
  granted_at timestamptz not null default now(),
  primary key (market, hash, log_index)
);
create index payment_beneficiary on posting.payment (market, beneficiary, paid_until);
