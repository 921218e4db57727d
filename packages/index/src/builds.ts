import { readdir, readFile } from 'node:fs/promises'
import { type Market, markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { list } from './list.ts'

/** The tables that readers see; each is a view in schema `market` on the build that serves. */
const tables = ['cursor', 'header', 'event', 'task', 'agent', 'arbitrator', 'entity', 'comparison'] as const

/** The comment on the schema of a build that readers have seen. */
const served = 'served'

const migrations = new URL('../migrations/', import.meta.url)

/** The schema of a build. A name is part of SQL text, so it must be a plain word. */
export function schemaOf(build: string): string {
  if (!/^[a-z0-9_]{1,40}$/.test(build))
    throw new RangeError(`"${build}" is no name for a build: small letters, digits and _ only.`)
  return `index_${build}`
}

/** What the one writer of a market in a build locks; the server hashes it. */
export function writerLockOf(build: string, market: Market): string {
  return `${schemaOf(build)} ${market}`
}

/** Makes the tables of a build where they are missing; where it serves, readers see the new ones too. */
export async function createBuild(sql: Sql, build: string): Promise<void> {
  const schema = schemaOf(build)
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  await sql.begin(async (transaction) => {
    // One at a time, whoever starts at the same moment.
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    await transaction`create schema if not exists market`
    await transaction`create table if not exists market.migration (schema text, file text, primary key (schema, file))`
    await transaction`create schema if not exists ${transaction(schema)}`
    await transaction`set local search_path to ${transaction(schema)}`
    for (const file of files) {
      const { count } = await transaction`
        insert into market.migration values (${schema}, ${file}) on conflict do nothing`
      if (count === 1) await transaction.unsafe(await readFile(new URL(file, migrations), 'utf8'))
    }
  })
  if ((await servingBuild(sql)) === build && (await lacksView(sql))) await serveBuild(sql, build)
}

async function lacksView(sql: Sql): Promise<boolean> {
  const rows = await sql<{ view: string | null }[]>`
    select to_regclass('market.' || name) as view from unnest(${list(tables)}::text[]) name`
  return rows.some(({ view }) => view === null)
}

/** The build that readers see; null while there is none. */
export async function servingBuild(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ build: string | null }[]>`select obj_description(to_regnamespace('market')) as build`
  return row?.build ?? null
}

/** Whether readers have ever seen this build. */
export async function hasServed(sql: Sql, build: string): Promise<boolean> {
  const [row] = await sql<
    { note: string | null }[]
  >`select obj_description(to_regnamespace(${schemaOf(build)})) as note`
  return row?.note === served
}

/**
 * Lets readers see a build from the next statement on: all views change together. Gives up where a reader is in the way for
 * long; to be tried again then.
 */
export async function serveBuild(sql: Sql, build: string): Promise<void> {
  const schema = schemaOf(build)
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('svc_index_builds'))`
    // Roles belong to the whole server, where another database may be making the same one.
    await transaction.unsafe(`do $$ begin
      if not exists (select from pg_roles where rolname = 'svc_read') then create role svc_read nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$`)
    await transaction`grant usage on schema market to svc_read`
    // While this waits for one reader, all others wait for it. And it gives up before any of them could be taken for the
    // cause of a deadlock, which the server looks for after a second.
    await transaction`set local lock_timeout = '100ms'`
    for (const table of tables) {
      const view = transaction(`market.${table}`)
      await transaction`drop view if exists ${view}`
      await transaction`create view ${view} as select * from ${transaction(`${schema}.${table}`)}`
      await transaction`grant select on ${view} to svc_read`
    }
    await transaction.unsafe(`comment on schema market is '${build}'`)
    await transaction.unsafe(`comment on schema ${schema} is '${served}'`)
  })
}

/** Removes a build. Refuses one that serves, and one that somebody still writes. */
export async function dropBuild(sql: Sql, build: string): Promise<void> {
  if ((await servingBuild(sql)) === build) throw new Error(`Build ${build} serves: let another one serve first.`)
  const schema = schemaOf(build)
  await sql.begin(async (transaction) => {
    for (const market of markets) {
      const [row] = await transaction<{ free: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtextextended(${writerLockOf(build, market)}, 0)) as free`
      if (!row?.free) throw new Error(`Build ${build} is still written: stop its indexer first.`)
    }
    await transaction`drop schema if exists ${transaction(schema)} cascade`
    await transaction`delete from market.migration where schema = ${schema}`
  })
}
