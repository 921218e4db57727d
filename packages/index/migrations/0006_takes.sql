-- Tasks by the wallets that took them, also those that a wallet lost again: the table of tasks has the current worker only. The
-- conditions are the selectors of TaskClaimed and TaskCreated, so other events cost nothing here.
create index event_claimed on event (market, substring(topics from 65 for 32), block)
  where substring(topics for 32) = '\x8ace7869945d7ef169986a1ca66b047e61dccbf21e6641e33f46131230881052';
create index event_created on event (market, substring(topics from 97 for 32), block)
  where substring(topics for 32) = '\xaf4dee143aad9b60dd11452517d43367f304ffa79c0e55a193501f640df74645';
