-- Confirmation e-mails of the last day: a stranger's address must not be flooded with them. Only the keyed hash of an address.
create table notify.verification_mail (
  target_key text not null,
  wallet text not null,
  sent_at timestamptz not null default now()
);
create index verification_mail_sent on notify.verification_mail (sent_at);

alter table notify.subscription add column tested_at timestamptz;
