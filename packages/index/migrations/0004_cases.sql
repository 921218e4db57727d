-- Cases by the wallets that judge them or could: seated judges, arbitrators that a party proposed or the terms name, and the final
-- court. The conditions are the selectors of JudgeSeated, ArbitratorProposed, CaseOpened and CourtCalled, so other events cost
-- nothing here.
create index event_judge on event (market, substring(topics from 65 for 32), block)
  where substring(topics for 32) = '\xa39750ea106d9a2e37bb77a064f337d3bba54baa945008efe6592dfc88b29b8e';
create index event_proposal on event (market, substring(topics from 97 for 32), block)
  where substring(topics for 32) = '\xd69f87d227edb9b85db0198cace0071184fb7c79ebd79addfed80c3233f386bd';
create index event_named on event (market, (facts ->> 'named'), block)
  where substring(topics for 32) = '\x20cae5343d00093bba8e3aa3c4617d4aff7a47e7187a7d9bb61377ff685a0993';
create index event_court on event (market, block)
  where substring(topics for 32) = '\x3d18ec8a05ac242f94e185b611d4ab17d4aa82af00c24dbc8163558cc20d3383';
