-- Reserves room for a part. Returns null, or the bytes of the task if the part does not fit. One round trip: uploads call it.
-- Each statement sees what was committed before it, so what is summed after the lock is complete.
create function store.reserve_part(of_task text, hash text, bytes integer, quota bigint) returns bigint language plpgsql as $$
declare used bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('svc_store ' || of_task, 0));
  select coalesce(sum(size), 0) into used from store.part
    where task = of_task and sha256 <> hash and (held_at is not null or touched_at > now() - interval '1 hour');
  if used + bytes > quota then return used; end if;
  insert into store.task values (of_task) on conflict do nothing;
  insert into store.part (task, sha256, size) values (of_task, hash, bytes)
    on conflict (task, sha256) do update set touched_at = now();
  return null;
end $$;
