-- Saved searches. `search` is what the wallet sent; the other columns are its conditions over rows of `market.search`, null for none.
create table notify.search (
  id text primary key,
  wallet text not null,
  market smallint not null,
  name text not null,
  search text not null,
  words tsquery,
  min_pay numeric(39),
  max_pay numeric(39),
  funded boolean not null,
  permit boolean,
  closes_after bigint,
  closes_before bigint,
  min_score integer,
  created_at timestamptz not null default now()
);
create index search_wallet on notify.search (wallet);
create index search_market on notify.search (market);

-- Wallets that were warned of a low deposit. The row goes when the deposit is high enough again.
create table notify.low_deposit (
  market smallint not null,
  wallet text not null,
  primary key (market, wallet)
);

-- The private address of a wallet's calendar. Only the hash of its token is kept.
create table notify.calendar (
  wallet text primary key,
  token_hash text not null unique
);
