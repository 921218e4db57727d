-- Wallets that are not established have fewer places, and a network few of them. Those of before count as established.
alter table profiles.profile add column established boolean not null default true;
alter table profiles.profile add column network text not null default '';
alter table profiles.profile add column looked_at timestamptz not null default now();
create index profile_newcomer on profiles.profile (network, looked_at) where not established;
