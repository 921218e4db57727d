-- Addresses whose owner said "this was not me": nothing is sent there again. Only the keyed hash of the address without a plus part.
create table notify.suppressed (
  address_key text primary key,
  since timestamptz not null default now()
);

-- The same hash, to find all subscriptions of an address. Null for other channels, and in older rows.
alter table notify.subscription add column address_key text;
create index subscription_address on notify.subscription (address_key) where address_key is not null;
