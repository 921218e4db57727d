-- The newest profile statement of each wallet. A removed profile keeps its row with an empty text, so that nobody can publish an
-- older statement again.
create table profiles.profile (
  wallet bytea primary key,
  issued_at bigint not null,
  -- The hash that the wallet signed. Of two statements with the same time, the greater one counts.
  hash bytea not null,
  domain text not null,
  chain_id bigint not null,
  profile text not null,
  signature bytea not null,
  -- What is searched.
  words tsvector not null,
  skills text[] not null,
  languages text[] not null,
  -- The lowest price of its offerings; null without one.
  min_price numeric(39)
);
create index profile_newest on profiles.profile (issued_at desc, wallet) where profile <> '';
create index profile_words on profiles.profile using gin (words);
create index profile_skills on profiles.profile using gin (skills);
