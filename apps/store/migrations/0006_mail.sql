-- Mailboxes. Items were signed and sealed before they arrived: the store sees who writes to whom, when, and how much.

-- The last number of each mailbox. Its row is locked while items are added, so numbers become visible in their order, and the
-- items of two wallets have the same order in both mailboxes.
create table store.mailbox (
  wallet text primary key,
  last bigint not null default 0
);

-- One row for each recipient; the sender's own copy is one of them. The id is the client's, so that a repeated post adds nothing.
create table store.mail (
  recipient text not null references store.mailbox on delete cascade,
  number bigint not null,
  sender text not null,
  id text not null,
  sealed bytea not null,
  posted_at timestamptz not null default now(),
  primary key (recipient, number),
  unique (recipient, sender, id)
);
create index mail_sender on store.mail (sender, posted_at);
create index mail_posted on store.mail (posted_at);

-- Who has written to whom. is_new: to a stranger, which counts for the limits until it is answered.
create table store.mail_contact (
  sender text not null,
  recipient text not null,
  is_new boolean not null,
  began_at timestamptz not null default now(),
  primary key (sender, recipient)
);
create index mail_contact_recipient on store.mail_contact (recipient, is_new);
create index mail_contact_began on store.mail_contact (began_at);

create table store.mail_block (
  wallet text not null,
  blocked text not null,
  primary key (wallet, blocked)
);
