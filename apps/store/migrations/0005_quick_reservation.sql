-- A reservation need not survive a crash of Postgres: recording the held part writes all of it again, and that waits for the
-- disk. Uploads of one task take turns here, so each would otherwise wait for the disk once for every upload before it.
create or replace function store.reserve_part(of_task text, hash text, bytes integer, by_wallet text, quota bigint)
  returns bigint language plpgsql as $$
declare used bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(hashtextextended('svc_store ' || of_task, 0));
  if exists (select from store.removed_part where task = of_task and sha256 = hash) then return -1; end if;
  select coalesce(sum(size), 0) into used from store.part
    where task = of_task and wallet = by_wallet and sha256 <> hash
      and (held_at is not null or touched_at > now() - interval '1 hour');
  if used + bytes > quota then return used; end if;
  insert into store.task values (of_task) on conflict do nothing;
  insert into store.part (task, sha256, size, wallet) values (of_task, hash, bytes, by_wallet)
    on conflict (task, sha256) do update set touched_at = now();
  return null;
end $$;
