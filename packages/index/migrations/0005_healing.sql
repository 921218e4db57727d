-- How often rows of this market were folded again from their events. The writer holds rows in memory: a step that began before a
-- refold does not commit, so the writer loads its rows again.
alter table cursor add column refolds integer not null default 0;
-- The rows that differ from contract storage, as a JSON array of row keys. Readers read them from the chain meanwhile.
alter table cursor add column suspects text not null default '[]';
