-- Requests per minute of clients and networks that come near a limit. Lost after a crash of the server, which is harmless:
-- it is about the last two minutes only.
create unlogged table limits.minute_count (
  -- The limit that counts them.
  kind text not null,
  -- Minutes since 1970.
  minute bigint not null,
  network text not null,
  requests bigint not null,
  primary key (kind, minute, network)
);
