import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'

/** Records, inside each transaction that moves a cursor, where it moved and whether its session holds the lock. */
export async function recordCursorMoves(sql: Sql, schema: string): Promise<void> {
  await sql.unsafe(`
    create table if not exists public.move (
      id bigserial primary key, at timestamptz not null default clock_timestamp(), market smallint not null,
      before bytea not null, after bytea not null, locked boolean not null);
    create or replace function public.note_move() returns trigger language plpgsql as $$ begin
      insert into public.move (market, before, after, locked) values (new.market, old.hash, new.hash, exists (
        select from pg_locks where locktype = 'advisory' and granted and pid = pg_backend_pid()));
      return null;
    end $$;
    create or replace trigger note_move after update on ${schema}.cursor
      for each row execute function public.note_move();`)
}

/** Resolves when both markets have moved after this time. */
export async function waitForCursorMoves(sql: Sql, since: string, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; ; await wait(10)) {
    const rows = await sql`select distinct market from public.move where at > ${since}::timestamptz`
    if (rows.length === 2) return
    if (Date.now() > end) throw new Error(`No indexer wrote for ${ms} ms.`)
  }
}

/** Counts all steps, those made without the lock, and those that do not start where the previous one ended. */
export async function countCursorMoves(sql: Sql): Promise<{ steps: number; unlocked: number; torn: number }> {
  const [row] = await sql<{ steps: number; unlocked: number; torn: number }[]>`
    select count(*)::integer as steps, (count(*) filter (where not locked))::integer as unlocked,
      (count(*) filter (where before <> last))::integer as torn
    from (select *, lag(after) over (partition by market order by id) as last from public.move) moves`
  return row ?? { steps: 0, unlocked: 0, torn: 0 }
}
