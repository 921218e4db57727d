import type { Sql } from 'postgres'
import { createBuild, dropBuild, getSchemaName, getServingBuild } from './builds.ts'
import type { AnySql } from './sql.ts'

/** A build that indexers made for a name, and the ones that replace it: `a`, `a_2`, `a_3`. */
export interface Generation {
  build: string
  number: number
  /** The fingerprint of the fold that fills it. */
  fingerprint: string
  /** Why it was started. */
  reason: string
  /** When it was started, in unix seconds. */
  started: number
  /** `filling` until it has served; `useless` if it had the same fault as the one it was to replace. */
  state: 'filling' | 'served' | 'replaced' | 'useless'
}

/** Loads the generations of a name, the oldest first. */
export async function listGenerations(sql: AnySql, name: string): Promise<Generation[]> {
  const rows = await sql<(Omit<Generation, 'started'> & { started: string })[]>`
    select build, number, fingerprint, reason, started, state from market.generation where name = ${name} order by number`
  return rows.map((row) => ({ ...row, started: Number(row.started) }))
}

/** Marks a generation as useless, unless it has served. */
export async function saveUseless(sql: AnySql, build: string): Promise<void> {
  await sql`update market.generation set state = 'useless' where build = ${build} and state = 'filling'`
}

/** What a new generation is for. */
export interface Wanted {
  name: string
  fingerprint: string
  reason: string
  /** Unix seconds. */
  now: number
}

/** The wait after the first rebuild, and the longest, in seconds. It doubles with each rebuild of the last week. */
const [firstWait, longestWait, week] = [600, 86_400, 604_800]

/** Returns when the next rebuild may start, in unix seconds: a fault that rebuilds do not repair must not make them loop. */
export function findNextRebuild(generations: readonly Generation[], now: number): number {
  const rebuilds = generations.filter(({ number, started }) => number > 1 && started > now - week)
  const last = rebuilds.at(-1)
  return last ? last.started + Math.min(longestWait, firstWait * 2 ** (rebuilds.length - 1)) : 0
}

/**
 * Registers the next generation and creates its tables, unless one is being filled by the same fold or the last one is too
 * recent. Only one process succeeds. Returns the generation that is being filled; null if it is too early for a new one.
 */
export async function startGeneration(
  sql: Sql,
  { name, fingerprint, reason, now }: Wanted,
  { wait = true }: { wait?: boolean } = {},
): Promise<Generation | null> {
  await createRegistry(sql)
  const started = await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    const known = await listGenerations(transaction, name)
    const filling = known.find((each) => each.state === 'filling' && each.fingerprint === fingerprint)
    if (filling) return filling
    if (wait && findNextRebuild(known, now) > now) return null
    const taken = await transaction<{ build: string }[]>`select build from market.generation`
    let number = (known.at(-1)?.number ?? 0) + 1
    const format = () => (number === 1 ? name : `${name}_${number}`)
    while (taken.some(({ build }) => build === format())) number++
    const build = format()
    await transaction`insert into market.generation values
      (${build}, ${name}, ${number}, ${fingerprint}, ${reason}, ${now}, 'filling')`
    return { build, number, fingerprint, reason, started: now, state: 'filling' } as const
  })
  if (started) await createBuild(sql, started.build)
  return started
}

/** Creates the list of generations. A build that is older than the list is entered with an unknown fold. */
export async function createRegistry(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    await transaction`create schema if not exists market`
    await transaction`create table if not exists market.generation (
      build text primary key, name text not null, number integer not null, fingerprint text not null,
      reason text not null, started bigint not null, state text not null, unique (name, number))`
    await transaction`
      insert into market.generation
      select substr(nspname, 7), substr(nspname, 7), 1, 'unknown', 'made by an earlier version', 0,
        case when obj_description(oid) = 'served' then 'served' else 'filling' end
      from pg_namespace where nspname like 'index\\_%' on conflict do nothing`
  })
}

/** Saves which generation serves. The one that served before is replaced. */
export async function saveServed(sql: AnySql, name: string, build: string): Promise<void> {
  await sql`update market.generation set state = case when build = ${build} then 'served' else 'replaced' end
    where name = ${name} and (build = ${build} or state = 'served')`
}

/**
 * Drops the generations that nobody needs: all that are older than the serving one, except the last that it replaced, which is
 * kept for an investigation, and those that another process still writes. Returns what it dropped.
 */
export async function dropOldGenerations(sql: Sql, name: string): Promise<string[]> {
  const known = await listGenerations(sql, name)
  const serving = await getServingBuild(sql)
  const older = known.slice(
    0,
    known.findIndex(({ build }) => build === serving),
  )
  const kept = older.findLast(({ state }) => state === 'replaced')?.build
  const dropped: string[] = []
  for (const { build } of older) {
    if (build === kept || !(await hasSchema(sql, build))) continue
    const isDropped = await dropBuild(sql, build).then(
      () => true,
      () => false,
    )
    if (isDropped) dropped.push(build)
  }
  return dropped
}

async function hasSchema(sql: Sql, build: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select to_regnamespace(${getSchemaName(build)}) is not null as found`
  return row?.found ?? false
}
