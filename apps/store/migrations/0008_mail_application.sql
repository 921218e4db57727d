-- A question never keeps a wallet from applying: an application for an open task counts by its task, not as the first message.
create table store.mail_application (
  sender text not null,
  task text not null,
  sent smallint not null default 1,
  began_at timestamptz not null default now(),
  primary key (sender, task)
);
create index mail_application_began on store.mail_application (began_at);

-- False while the only first messages are applications.
alter table store.mail_contact add column has_asked boolean not null default true;
