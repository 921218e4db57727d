-- Tokens of the chat gateway that were used on a UTC day: by all clients, and by each network.
create table limits.chat_tokens (
  day date not null,
  network text not null,
  tokens bigint not null,
  primary key (day, network)
);
