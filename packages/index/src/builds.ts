import { readdir, readFile } from 'node:fs/promises'
import { type Market, markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { toPgArray } from './sql.ts'

/** The tables that readers see. Each is a view in schema `market` on the build that serves. */
const tables = ['cursor', 'header', 'event', 'task', 'agent', 'arbitrator', 'entity', 'search', 'comparison'] as const

/** The comment on the schema of a build that has served readers. */
const served = 'served'

const migrations = new URL('../migrations/', import.meta.url)

/** Returns the schema of a build. The name becomes part of SQL text, so only a plain word is accepted. */
export function getSchemaName(build: string): string {
  if (!/^[a-z0-9_]{1,40}$/.test(build))
    throw new RangeError(`"${build}" is not a valid build name. Use 1 to 40 lower-case letters, digits and _.`)
  return `index_${build}`
}

/** Returns the key of the advisory lock that the writer of a market in a build holds. The server hashes it. */
export function getWriterLockKey(build: string, market: Market): string {
  return `${getSchemaName(build)} ${market}`
}

/** Creates the missing tables of a build. If the build serves, readers get the new tables too. */
export async function createBuild(sql: Sql, build: string): Promise<void> {
  const schema = getSchemaName(build)
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  const migrated = await sql.begin(async (transaction) => {
    // Only one process migrates at a time.
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    await transaction`create schema if not exists market`
    await transaction`create table if not exists market.migration (schema text, file text, primary key (schema, file))`
    await transaction`create schema if not exists ${transaction(schema)}`
    await transaction`set local search_path to ${transaction(schema)}`
    const missing = []
    for (const file of files) {
      const { count } = await transaction`
        insert into market.migration values (${schema}, ${file}) on conflict do nothing`
      if (count === 0) continue
      missing.push(file)
      await transaction.unsafe(await readFile(new URL(file, migrations), 'utf8'))
    }
    return missing
  })
  // A view shows only the columns that its table had when it was created.
  const isOutdated = migrated.length > 0 || (await isViewMissing(sql))
  if (isOutdated && (await getServingBuild(sql)) === build) await serveBuild(sql, build)
}

async function isViewMissing(sql: Sql): Promise<boolean> {
  const rows = await sql<{ view: string | null }[]>`
    select to_regclass('market.' || name) as view from unnest(${toPgArray(tables)}::text[]) name`
  return rows.some(({ view }) => view === null)
}

/** Returns the build that readers see; null if there is none. */
export async function getServingBuild(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ build: string | null }[]>`select obj_description(to_regnamespace('market')) as build`
  return row?.build ?? null
}

/** Returns whether a process writes a build: it holds the writer's lock of a market. The other market may be halted. */
export async function hasWriter(sql: Sql, build: string): Promise<boolean> {
  const keys = markets.map((market) => getWriterLockKey(build, market))
  const [row] = await sql<{ held: boolean }[]>`
    select exists (select from pg_locks join pg_database d on d.oid = database
      where d.datname = current_database() and locktype = 'advisory' and objsubid = 1 and granted
        and ((classid::bigint << 32) | objid::bigint) in (
          select hashtextextended(key, 0) from unnest(${toPgArray(keys)}::text[]) key)) as held`
  return row?.held ?? false
}

/**
 * Switches readers to a build: all views change in one transaction. Throws if a reader holds a lock for too long; retry then.
 */
export async function serveBuild(sql: Sql, build: string): Promise<void> {
  const schema = getSchemaName(build)
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    // Roles belong to the whole server, and another database may be creating the same one.
    await transaction.unsafe(`do $$ begin
      if not exists (select from pg_roles where rolname = 'svc_read') then create role svc_read nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$`)
    await transaction`grant usage on schema market to svc_read`
    // While this waits for one reader, all others wait for this. The timeout is shorter than the second after which the server
    // looks for deadlocks, so no reader is cancelled as the cause of one.
    await transaction`set local lock_timeout = '100ms'`
    for (const table of tables) {
      const view = transaction(`market.${table}`)
      await transaction`drop view if exists ${view}`
      // An older build does not have the newest tables. Reads of them fail until it is filled again.
      const [found] = await transaction<{ name: string | null }[]>`select to_regclass(${`${schema}.${table}`}) as name`
      if (!found?.name) continue
      await transaction`create view ${view} as select * from ${transaction(`${schema}.${table}`)}`
      await transaction`grant select on ${view} to svc_read`
    }
    await transaction.unsafe(`comment on schema market is '${build}'`)
    await transaction.unsafe(`comment on schema ${schema} is '${served}'`)
  })
}

/** Removes a build. Throws if it serves readers or a process still writes to it. */
export async function dropBuild(sql: Sql, build: string): Promise<void> {
  if ((await getServingBuild(sql)) === build)
    throw new Error(`Build ${build} serves readers. Switch to another build first.`)
  const schema = getSchemaName(build)
  await sql.begin(async (transaction) => {
    for (const market of markets) {
      const [row] = await transaction<{ free: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtextextended(${getWriterLockKey(build, market)}, 0)) as free`
      if (!row?.free) throw new Error(`A process still writes to build ${build}. Stop its indexer first.`)
    }
    await transaction`drop schema if exists ${transaction(schema)} cascade`
    await transaction`delete from market.migration where schema = ${schema}`
  })
}
