-- One build of the index. Every table has the market in front of its key: the two markets share nothing.
-- market: 0 standard, 1 micro. Addresses and hashes are bytea; `state` is an entity of the fold as packEntity writes it: text,
-- since nobody looks into it here, and jsonb is taken apart when written and put together again whenever it is read.

create table cursor (
  market smallint primary key,
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  -- SHA-256 over all events up to this block, in order.
  digest bytea not null,
  events bigint not null,
  finalized bigint not null,
  -- Why nothing is written any more; null while all is well.
  halted text
);

-- Down to the finalized block, and at least 8,000: what a reorganisation is found by.
create table header (
  market smallint not null,
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  digest bytea not null,
  events bigint not null,
  primary key (market, number)
);

-- Logs as they came, so that nothing a stranger wrote can be refused here; decoded when read.
-- Columns of eight bytes stand first, so that none is padded.
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
  -- What the fold found when it came: see completeEvent.
  facts jsonb,
  primary key (market, block, log_index)
);
-- Without the log index equal keys share an entry, and a third of the size is left; the few logs of a block are sorted when read.
create index event_task on event (market, task, block) where task is not null;

-- Pages of rows that change stay partly empty: a change that moves no index then stays on its page and adds to no index.
-- One in fifty changed rows is reason enough to clean up, since one in five of millions would be many.
-- Rows of up to half a page stay whole: what is compressed or lies apart costs more to read than all the rest of a page.
create table task (
  market smallint not null,
  key bigint not null,
  posted boolean not null,
  poster bytea not null,
  worker bytea,
  state text not null,
  -- What HTTP answers show of it, and the mark of that text: a page is joined here, and nobody has to write it out.
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

-- Everything else that the fold keeps, by kind and key.
create table entity (
  market smallint not null,
  kind text not null,
  key text not null,
  state text not null,
  primary key (market, kind, key)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);

-- What a row was before the first change in a block above the finalized one; null: it was not there.
create table journal (
  market smallint not null,
  block bigint not null,
  kind text not null,
  key text not null,
  before text,
  primary key (market, block, kind, key)
);
