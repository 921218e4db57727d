-- The windows of a task in every order, and its words by window, as hashes: see `windowWords`. Searches look up words by window.
alter table search add column window_words integer[] not null default '{}';
alter table search alter column window_words set storage external;
create index search_window_words on search using gin (window_words) with (fastupdate = off);

-- Whether searches find every task of the market. A build that was filled before has tasks without words; it is filled again.
alter table cursor add column searchable boolean not null default false;
alter table cursor alter column searchable set default true;
