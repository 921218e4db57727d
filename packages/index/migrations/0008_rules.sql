-- Whether a task can be claimed no longer depends on its poster's deposit. The rows of an older build lack what the fold writes now,
-- so they are removed here and the indexer fills the build again. Reads go to the chain meanwhile.
truncate cursor, header, event, task, agent, arbitrator, entity, journal, comparison, search;

-- The views that depend on the columns are created again after the migration.
alter table task drop column claim_free cascade;
-- Whether it waits for a worker: it can be claimed until `phase_end` while entries are open.
alter table task add column posted boolean not null;
create index task_claimable on task (market, key desc, phase_end) where posted;
alter table search drop column claim_free cascade;
alter table agent drop column free cascade;
-- Every build is filled after this, so all its tasks can be searched.
alter table cursor drop column searchable cascade;
