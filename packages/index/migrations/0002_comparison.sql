-- The last comparison of each market with contract storage. Written by whoever compares, read by whoever asks how far the index
-- can be believed.
create table comparison (
  market smallint primary key,
  -- The block that rows and storage were both read at.
  number bigint not null,
  hash bytea not null,
  "timestamp" bigint not null,
  -- Of the index at that block.
  digest bytea not null,
  -- When it was made, in unix seconds.
  made bigint not null,
  -- Rows compared then, and since the build was made.
  compared integer not null,
  total bigint not null,
  -- How far the walk through all rows is, as JSON.
  walk text not null,
  -- Rows that differ and in what, as JSON; not more than a hundred.
  differences text not null
);
