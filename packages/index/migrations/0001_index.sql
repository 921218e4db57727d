-- One build of the index. Every key starts with the market, because the markets share nothing.
-- market: 0 standard, 1 micro. Addresses and hashes are bytea. `state` is an entity of the fold as packEntity writes it. It is
-- text because SQL never looks into it, and jsonb would be parsed on every write and serialized on every read.

create table cursor (
  market smallint primary key,
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  -- SHA-256 over all events up to this block, in order.
  digest bytea not null,
  events bigint not null,
  finalized bigint not null,
  -- Why the index was halted; null if it was not.
  halted text
);

-- Headers down to the finalized block, at least 8,000. They detect reorganisations.
create table header (
  market smallint not null,
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  digest bytea not null,
  events bigint not null,
  primary key (market, number)
);

-- Logs as received and decoded when read, so that no content of a log can make the insert fail.
-- Columns of eight bytes come first, so that none is padded.
create table event (
  block bigint not null,
  task bigint,
  "timestamp" bigint not null,
  log_index integer not null,
  market smallint not null,
  contract smallint not null,
  topics bytea not null,
  data bytea not null,
  tx bytea not null,
  -- Facts that the fold added: see completeEvent.
  facts jsonb,
  primary key (market, block, log_index)
);
-- Without log_index, equal keys share an entry and the index has a third of the size. The few logs of a block are sorted on read.
create index event_task on event (market, task, block) where task is not null;

-- fillfactor: free space on each page lets an update that changes no indexed column stay on its page (HOT), without index writes.
-- autovacuum_vacuum_scale_factor: vacuum after 2 % of rows changed; the default of 20 % of millions would be too late.
-- toast_tuple_target: rows of up to half a page stay inline, since compressed or out-of-line values are slow to read.
create table task (
  market smallint not null,
  key bigint not null,
  posted boolean not null,
  poster bytea not null,
  worker bytea,
  state text not null,
  -- The task as HTTP responses contain it, and the fingerprint of that text. Pages are joined from these in SQL.
  json text not null,
  mark bytea not null,
  primary key (market, key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, toast_tuple_target = 4080);
create index task_posted on task (market, key desc) where posted;
create index task_poster on task (market, poster, key desc);
create index task_worker on task (market, worker, key desc) where worker is not null;

create table agent (
  market smallint not null,
  key bytea not null,
  score integer not null,
  ranked boolean not null,
  state text not null,
  primary key (market, key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index agent_score on agent (market, score desc, key) where ranked;

create table arbitrator (
  market smallint not null,
  key bytea not null,
  bond numeric(39) not null,
  state text not null,
  primary key (market, key)
);
create index arbitrator_bond on arbitrator (market, bond desc, key);

-- All other entities of the fold, by kind and key.
create table entity (
  market smallint not null,
  kind text not null,
  key text not null,
  state text not null,
  primary key (market, kind, key)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);

-- The state of a row before its first change in a block above the finalized one; null if it did not exist.
create table journal (
  market smallint not null,
  block bigint not null,
  kind text not null,
  key text not null,
  before text,
  primary key (market, block, kind, key)
);
