-- Lists of open tasks contain what a claim would accept, and every task shows its phase. The rows of an older build do not have
-- the values for it, so they are removed here and the indexer fills the build again. Reads go to the chain meanwhile.
truncate cursor, header, event, task, agent, arbitrator, entity, journal, comparison;

-- The views that depend on the column are created again after the migration.
alter table task drop column posted cascade;
alter table task
  -- The last second of the current phase, in unix seconds; null if time does not end it. `json` holds the task up to the fields
  -- that depend on the phase; `early` completes it up to that second, `late` after it.
  add column phase_end bigint,
  add column early text not null,
  add column late text not null,
  -- The least free deposit of the poster with which a posted task can be claimed until `phase_end`, in USDC units. Null if
  -- nobody can claim it.
  add column claim_free bigint;
-- The end is part of the index, so that tasks whose claims are closed are passed over without reading their rows.
create index task_claimable on task (market, key desc, phase_end) where claim_free is not null;

-- The part of the deposit that no task reserves.
alter table agent add column free numeric(39) not null;
