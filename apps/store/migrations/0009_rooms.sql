-- What each wallet stores here, as counted when it stores, and again by sweeps. What wallets that are not established store is bounded:
-- for each, for a network, and in all.
create table store.room (
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
create index room_newcomer on store.room (network, looked_at) where not established;
create index room_checked on store.room (checked_at nulls first);

-- Sums over wallets that are not established, by network; all of them under the empty name.
create table store.room_total (
  network text primary key,
  bytes bigint not null
);
create index room_total_bytes on store.room_total (bytes desc);
insert into store.room_total values ('', 0);

-- Keeps the sums. That of all comes first for everybody, so that nobody waits in a circle.
create function store.sum_room() returns trigger language plpgsql as $$
declare
  added bigint := case when tg_op = 'DELETE' or new.established then 0 else new.bytes end;
  taken bigint := case when tg_op = 'INSERT' or old.established then 0 else old.bytes end;
begin
  if added <> taken then update store.room_total set bytes = bytes + added - taken where network = ''; end if;
  if taken > 0 then
    update store.room_total set bytes = bytes - taken where network = old.network;
    delete from store.room_total where network = old.network and bytes <= 0;
  end if;
  if added > 0 then
    insert into store.room_total as t values (new.network, added) on conflict (network) do update set bytes = t.bytes + added;
  end if;
  return null;
end $$;
create trigger sum_room after insert or delete or update of bytes, established, network on store.room
  for each row execute function store.sum_room();

-- The bytes that a wallet stores, with about what each row costs besides.
create function store.measure_room(of_wallet text) returns bigint language sql stable as $$
  select coalesce((select sum(octet_length(sealed) + 200) from store.mail where sender = of_wallet), 0)
    + coalesce((select sum(octet_length(message) + octet_length(signature) + 200) from store.statement where wallet = of_wallet), 0)
    + coalesce((select octet_length(file) + 100 from store.vault where wallet = of_wallet), 0)
    + (select count(*) from store.session where wallet = of_wallet) * 250
    + (select count(*) from store.mail_contact where sender = of_wallet) * 150
    + (select count(*) from store.mail_block where wallet = of_wallet) * 150
$$;

-- Removes what a wallet stores that neither the chain nor an answer made anybody else's concern.
create function store.empty_room(of_wallet text) returns void language sql as $$
  delete from store.mail where recipient = of_wallet;
  delete from store.mail m where sender = of_wallet
    and not exists (select from store.mail_contact a where a.sender = m.recipient and a.recipient = of_wallet);
  delete from store.mail_contact c where sender = of_wallet
    and not exists (select from store.mail_contact a where a.sender = c.recipient and a.recipient = of_wallet);
  delete from store.mail_block where wallet = of_wallet;
  delete from store.vault where wallet = of_wallet;
  delete from store.session where wallet = of_wallet;
  delete from store.statement where wallet = of_wallet;
$$;

-- Wallets from before begin as established; sweeps look at each of them.
insert into store.room (wallet, network, established, bytes)
  select wallet, '', true, 2048 + store.measure_room(wallet) from (
    select sender as wallet from store.mail union select wallet from store.statement union select wallet from store.vault) known;

-- Messages of wallets that are not established to posters of open tasks. They have places of their own: for each task, one question and
-- one application of a wallet, and never among the strangers of a mailbox.
create table store.mail_newcomer (
  sender text not null,
  task text not null,
  kind text not null,
  recipient text not null,
  network text not null,
  began_at timestamptz not null default now(),
  primary key (sender, task, kind)
);
create index mail_newcomer_task on store.mail_newcomer (task, began_at);
create index mail_newcomer_recipient on store.mail_newcomer (recipient, sender);
create index mail_newcomer_began on store.mail_newcomer (began_at);

-- Proofs of device keys that have opened a session: each opens one. They expire with the time for which a proof is accepted.
create table store.used_proof (
  hash text primary key,
  expires_at timestamptz not null
);
create index used_proof_expires on store.used_proof (expires_at);
