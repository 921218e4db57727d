-- What each wallet stores here, as counted when it stores, and again by sweeps. What wallets that are not established store is bounded:
-- for each, for a network, and in all.
create table notify.room (
  wallet text primary key,
  -- The widest network of the client that stored first.
  network text not null,
  established boolean not null,
  bytes bigint not null,
  used_at timestamptz not null default now(),
  checked_at timestamptz,
  -- When it was last looked at for its deposit, because others had no room.
  looked_at timestamptz not null default now()
);
create index room_newcomer on notify.room (network, looked_at) where not established;
create index room_checked on notify.room (checked_at nulls first);

-- Sums over wallets that are not established, by network; all of them under the empty name.
create table notify.room_total (
  network text primary key,
  bytes bigint not null
);
create index room_total_bytes on notify.room_total (bytes desc);
insert into notify.room_total values ('', 0);

-- Keeps the sums. That of all comes first for everybody, so that nobody waits in a circle.
create function notify.sum_room() returns trigger language plpgsql as $$
declare
  added bigint := case when tg_op = 'DELETE' or new.established then 0 else new.bytes end;
  taken bigint := case when tg_op = 'INSERT' or old.established then 0 else old.bytes end;
begin
  if added <> taken then update notify.room_total set bytes = bytes + added - taken where network = ''; end if;
  if taken > 0 then
    update notify.room_total set bytes = bytes - taken where network = old.network;
    delete from notify.room_total where network = old.network and bytes <= 0;
  end if;
  if added > 0 then
    insert into notify.room_total as t values (new.network, added) on conflict (network) do update set bytes = t.bytes + added;
  end if;
  return null;
end $$;
create trigger sum_room after insert or delete or update of bytes, established, network on notify.room
  for each row execute function notify.sum_room();

-- The bytes that a wallet stores, with about what each row costs besides.
create function notify.measure_room(of_wallet text) returns bigint language sql stable as $$
  select coalesce((select sum(octet_length(message) + octet_length(signature) + 200) from notify.statement where wallet = of_wallet), 0)
    + coalesce((select sum(octet_length(target) + 400) from notify.subscription where wallet = of_wallet), 0)
    + coalesce((select sum(octet_length(search) + 400) from notify.search where wallet = of_wallet), 0)
    + (select count(*) from notify.session where wallet = of_wallet) * 250
    + (select count(*) from notify.calendar where wallet = of_wallet) * 250
$$;

-- Removes what a wallet stores. Its inbox expires by itself.
create function notify.empty_room(of_wallet text) returns void language sql as $$
  delete from notify.subscription where wallet = of_wallet;
  delete from notify.search where wallet = of_wallet;
  delete from notify.calendar where wallet = of_wallet;
  delete from notify.session where wallet = of_wallet;
  delete from notify.statement where wallet = of_wallet;
$$;

-- Wallets from before begin as established; sweeps look at each of them.
insert into notify.room (wallet, network, established, bytes)
  select wallet, '', true, 2048 + notify.measure_room(wallet) from (
    select wallet from notify.statement union select wallet from notify.subscription union select wallet from notify.search) known;

-- Proofs of device keys that have opened a session: each opens one. They expire with the time for which a proof is accepted.
create table notify.used_proof (
  hash text primary key,
  expires_at timestamptz not null
);
create index used_proof_expires on notify.used_proof (expires_at);
