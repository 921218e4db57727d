-- Plan purchases by plan and beneficiary, which are the first two indexed fields of PlanPurchased. The condition is the selector of
-- that event, so other events cost nothing here.
create index event_plan on event (market, substring(topics from 33 for 64), block)
  where substring(topics for 32) = '\x07f2a06712f52e1e1c59af01f0a2c645211347a38074177a221a6bc8238e9072';
