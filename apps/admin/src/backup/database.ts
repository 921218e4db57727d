import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Environment, keepOf, listKeptSchemas } from '@svc/serve'
import postgres, { type ISql, type Sql } from 'postgres'
import { AdminError } from '../adminError.ts'

const run = promisify(execFile)

/** The rows of a table, and a digest over them in the order of their own. */
export interface TableDigest {
  table: string
  rows: number
  digest: string
}

/** Opens a database for one command. */
export async function withDatabase<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 2, connect_timeout: 10, fetch_types: false, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Lists the kept schemas that a database has. Throws if it has one that nobody declared: a backup without it would forget it. */
export async function findKeptSchemas(sql: ISql): Promise<string[]> {
  const found = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`
  const unknown = found.filter(({ name }) => keepOf(name) === undefined)
  if (unknown.length > 0)
    throw new AdminError(
      `The database has schemas that are neither kept nor derived: ${unknown.map(({ name }) => name).join(', ')}. Declare them in packages/serve/src/schemas.ts, or drop them. Nothing was done.`,
    )
  const kept = listKeptSchemas()
  return found.flatMap(({ name }) => (kept.includes(name) ? [name] : []))
}

/** Lists the tables of schemas, as `schema.table`. */
export async function listTables(sql: ISql, schemas: readonly string[]): Promise<string[]> {
  const rows = await sql<{ table: string }[]>`
    select schemaname || '.' || tablename as table from pg_tables
    where schemaname in (select jsonb_array_elements_text(${JSON.stringify(schemas)}::text::jsonb)) order by 1`
  return rows.map(({ table }) => table)
}

/** Computes the digest of a table, without one of its columns if that depends on the moment. */
export async function digestTable(sql: ISql, table: string, without = ''): Promise<TableDigest> {
  // Rows are hashed one by one first, because all texts together would not fit into one value.
  const [row] = await sql<{ rows: string; digest: string | null }[]>`
    select count(*) as rows, encode(sha256(string_agg(hash, '' order by hash)), 'hex') as digest
    from (select sha256(convert_to((to_jsonb(t) - ${without}::text)::text, 'utf8')) as hash from ${sql(table)} t) hashed`
  return { table, rows: Number(row?.rows), digest: row?.digest ?? '' }
}

/** Computes the digests of tables, one after the other. */
export async function digestAll(sql: ISql, tables: readonly string[]): Promise<TableDigest[]> {
  const digests: TableDigest[] = []
  for (const table of tables) digests.push(await digestTable(sql, table))
  return digests
}

/** Names the tables that differ, with their rows. */
export function listDifferences(left: readonly TableDigest[], right: readonly TableDigest[]): string[] {
  const others = new Map(right.map((each) => [each.table, each]))
  const names = new Set([...left, ...right].map(({ table }) => table))
  const mine = new Map(left.map((each) => [each.table, each]))
  return [...names].sort().flatMap((table) => {
    const [one, two] = [mine.get(table), others.get(table)]
    if (one?.digest === two?.digest && one?.rows === two?.rows) return []
    return [`${table}: ${one?.rows ?? 'no'} rows, and ${two?.rows ?? 'no'}${one?.rows === two?.rows ? ' others' : ''}`]
  })
}

/** Records when a backup was made or tried. The API exports it, so that an old one is noticed. */
export async function recordMark(sql: Sql, name: 'backup' | 'drill'): Promise<void> {
  await sql.begin(async (step) => {
    await step`create schema if not exists operations`
    await step`create table if not exists operations.mark (name text primary key, at timestamptz not null)`
    await step`grant usage on schema operations to public`
    await step`grant select on operations.mark to public`
    await step`insert into operations.mark values (${name}, now()) on conflict (name) do update set at = now()`
  })
}

/** Runs a program of Postgres. The password goes through the environment: everybody on the machine can read arguments. */
export async function runPostgres(
  program: 'pg_dump' | 'pg_restore',
  url: string,
  args: readonly string[],
  environment: Environment,
): Promise<void> {
  const place = new URL(url)
  const env = { ...environment, ...(place.password && { PGPASSWORD: decodeURIComponent(place.password) }) }
  place.password = ''
  await executeProgram(program, [...args, `--dbname=${place.href}`], env)
}

/** Runs a program. Throws what it said if it fails. */
export async function executeProgram(program: string, args: readonly string[], env?: Environment): Promise<void> {
  await run(program, args, { env, maxBuffer: 2 ** 24 }).catch(
    ({ code, stderr }: { code: unknown; stderr?: string }) => {
      if (code === 'ENOENT') throw new AdminError(`${program} is not installed on this machine.`)
      throw new AdminError(`${program} failed: ${stderr?.trim().split('\n').slice(-3).join(' ')}`)
    },
  )
}
