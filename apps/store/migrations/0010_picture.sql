-- The picture that a wallet shows beside its name. Anyone may read it.
create table store.picture (
  wallet text primary key,
  sha256 text not null,
  file bytea not null,
  stored_at timestamptz not null default now()
);

-- As before, with pictures.
create or replace function store.measure_room(of_wallet text) returns bigint language sql stable as $$
  select coalesce((select sum(octet_length(sealed) + 200) from store.mail where sender = of_wallet), 0)
    + coalesce((select sum(octet_length(message) + octet_length(signature) + 200) from store.statement where wallet = of_wallet), 0)
    + coalesce((select octet_length(file) + 100 from store.vault where wallet = of_wallet), 0)
    + coalesce((select octet_length(file) + 150 from store.picture where wallet = of_wallet), 0)
    + (select count(*) from store.session where wallet = of_wallet) * 250
    + (select count(*) from store.mail_contact where sender = of_wallet) * 150
    + (select count(*) from store.mail_block where wallet = of_wallet) * 150
$$;
create or replace function store.empty_room(of_wallet text) returns void language sql as $$
  delete from store.mail where recipient = of_wallet;
  delete from store.mail m where sender = of_wallet
    and not exists (select from store.mail_contact a where a.sender = m.recipient and a.recipient = of_wallet);
  delete from store.mail_contact c where sender = of_wallet
    and not exists (select from store.mail_contact a where a.sender = c.recipient and a.recipient = of_wallet);
  delete from store.mail_block where wallet = of_wallet;
  delete from store.vault where wallet = of_wallet;
  delete from store.picture where wallet = of_wallet;
  delete from store.session where wallet = of_wallet;
  delete from store.statement where wallet = of_wallet;
$$;
