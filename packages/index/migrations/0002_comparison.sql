-- The last comparison of each market with contract storage. The indexer writes it; GET /api/health/differential shows it.
create table comparison (
  market smallint primary key,
  -- The block at which rows and storage were read.
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  -- The digest of the index at that block.
  digest bytea not null,
  -- When it was made, in unix seconds.
  made bigint not null,
  -- Rows compared then, and since the build was made.
  compared integer not null,
  total bigint not null,
  -- The progress of the walk through all rows, as JSON.
  walk text not null,
  -- Rows that differ and their differing parts, as JSON; at most 100.
  differences text not null
);
