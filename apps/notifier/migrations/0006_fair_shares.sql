-- Whether the wallet was established when it saved the search: those come first. Others expire.
alter table notify.search add column established boolean not null default true;
create index search_created on notify.search (created_at);

-- Confirmation e-mails are counted by the network that asked for them too. Empty in older rows.
alter table notify.verification_mail add column network text not null default '';
