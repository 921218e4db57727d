-- Bundles that the operator removed after a notice. Their readers are told the reason, and nobody can store them again.
create table store.removal (
  bundle text primary key,
  task text not null,
  is_public boolean not null,
  reason text not null,
  removed_at timestamptz not null default now()
);

-- The parts that went with them. In another task the same bytes may be fine: a licence text, for example.
create table store.removed_part (
  task text not null,
  sha256 text not null,
  bundle text not null references store.removal,
  primary key (task, sha256)
);

-- Who reserved a part. Quotas are by wallet, so that nobody can use up the room of another party. Null in older rows, which
-- count for nobody.
alter table store.part add column wallet text;

drop function store.reserve_part(text, text, integer, bigint);

-- Reserves room for a part. Returns null, the bytes that the wallet has in the task if the part does not fit, or -1 if the part was
-- removed. One round trip: uploads call it. Each statement sees what was committed before it, so what is summed after the lock is complete.
create function store.reserve_part(of_task text, hash text, bytes integer, by_wallet text, quota bigint)
  returns bigint language plpgsql as $$
declare used bigint;
begin
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
