-- The key statement that a session was opened with: revoking the statement ends the session. Null in sessions of older
-- versions, which end after a day.
alter table store.session add column statement text;
create index session_wallet on store.session (wallet);
