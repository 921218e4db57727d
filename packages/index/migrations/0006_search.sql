-- Tasks that wait for a worker, as a search sees them. A row is derived from its task and from the text that it published, and is
-- written with them. Columns with the names of `task` have the same content, so that conditions fit both.
-- A task never changes its place in an order: it sorts by values of its terms.
create table search (
  market smallint not null,
  key bigint not null,
  poster bytea not null,
  phase_end bigint not null,
  claim_free bigint not null,
  -- What each order sorts by, largest first: TOK wei, TOK wei per hour, and the end of claims, negated.
  pay numeric(39) not null,
  rate numeric(39) not null,
  closing numeric(39) not null,
  -- The part of an order that the value lies in: see `computeWindow`. A search goes from part to part.
  newest_window integer not null,
  pay_window integer not null,
  rate_window integer not null,
  closing_window integer not null,
  funded boolean not null,
  permit boolean not null,
  title text not null,
  excerpt text not null,
  tags text not null,
  -- The words of the text by weight, its tags as `@tag`, and the windows, such as `#pay0.93` in market 0.
  words tsvector not null,
  primary key (market, key)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, toast_tuple_target = 4080);
create index search_newest on search (market, newest_window desc, key desc);
create index search_pay on search (market, pay_window desc, pay desc, key desc);
create index search_rate on search (market, rate_window desc, rate desc, key desc);
create index search_closing on search (market, closing_window desc, closing desc, key desc);
-- Without a pending list, which every search would have to read.
create index search_words on search using gin (words) with (fastupdate = off);
