-- What a notifier in the same database may see of mailboxes: who wrote to whom, and when. Never the sealed message.
create view store.mail_arrival as
  select recipient, sender, posted_at from store.mail where recipient <> sender;

do $$ begin
  if exists (select from pg_roles where rolname = 'svc_mail_arrival') then
    grant usage on schema store to svc_mail_arrival;
    grant select on store.mail_arrival to svc_mail_arrival;
  end if;
end $$;
