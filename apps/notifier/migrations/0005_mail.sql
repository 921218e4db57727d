-- Messages between wallets belong to no market.
alter table notify.notification alter column market drop not null;

-- Up to when arrivals of messages were read; one row.
create table notify.mail_cursor (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null
);
