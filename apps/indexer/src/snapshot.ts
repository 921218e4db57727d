import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Deployments, Provider } from '@svc/chain'
import {
  foldFingerprint,
  getSchemaName,
  getServingBuild,
  getWriterLockKey,
  listGenerations,
  loadCursor,
  marketNumber,
  startGeneration,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { canonicalizeRecord } from '@svc/protocol/internal/fold'
import type { Sql, TransactionSql } from 'postgres'
import { z } from 'zod'
import { getHeader } from './header.ts'

/** Everything that a build consists of. What it was last compared with says nothing about a copy of it. */
const tables = ['cursor', 'header', 'event', 'task', 'agent', 'arbitrator', 'entity', 'search', 'journal'] as const

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const place = z.object({ number: z.string().regex(/^\d{1,18}$/), hash: z.string(), digest: z.string() })
const manifest = z.object({
  fingerprint: z.string(),
  chainId: z.number(),
  /** The contracts whose events it has, as canonical JSON. */
  contracts: z.string(),
  /** The last block of each market, and the digest of all events up to it. */
  places: z.record(z.enum(markets), place),
  /** The columns of each table, and the SHA-256 of its rows as COPY writes them. */
  tables: z.record(z.enum(tables), z.object({ columns: z.array(z.string().regex(/^[a-z_]+$/)), sha256: digest })),
})
type Manifest = z.infer<typeof manifest>

type Origin = Pick<Deployments, 'chainId' | 'markets'>

/** Saves the build that serves into a folder, as of one moment: a compressed COPY of each table, and what it must be loaded with. */
export async function saveSnapshot(sql: Sql, origin: Origin, folder: string): Promise<Manifest['places']> {
  const build = await getServingBuild(sql)
  if (build === null) throw new Error('No build serves, so there is nothing to save.')
  await mkdir(folder, { recursive: true })
  return sql.begin('isolation level repeatable read read only', async (step) => {
    await step`set local search_path to ${step(getSchemaName(build))}`
    const [served] = await step<{ fingerprint: string }[]>`
      select fingerprint from market.generation where build = ${build}`
    if (served?.fingerprint !== foldFingerprint)
      throw new Error(`Build ${build} was filled by another version of the fold, so this version could not load it.`)
    const places = await readPlaces(step)
    const saved: Partial<Manifest['tables']> = {}
    for (const table of tables) {
      const columns = await listColumns(step, table)
      const rows = await step`copy ${step(table)} (${step(columns)}) to stdout`.readable()
      const counted = createDigest()
      await pipeline(rows, counted.pass, createZstdCompress(), createWriteStream(join(folder, `${table}.zst`)))
      saved[table] = { columns, sha256: counted.result() }
    }
    const { chainId } = origin
    const contracts = canonicalizeRecord(origin.markets)
    const whole = manifest.parse({ fingerprint: foldFingerprint, chainId, contracts, places, tables: saved })
    await writeFile(join(folder, 'snapshot.json'), `${JSON.stringify(whole, null, 2)}\n`)
    return places
  })
}

/**
 * Loads a snapshot as the first build of a name. Its last blocks must be on the chain, as two providers have it. Nothing of it serves
 * before the indexer has caught up with the chain and compared a sample of all rows with contract storage.
 */
export async function loadSnapshot(
  sql: Sql,
  { name, folder, origin, providers }: { name: string; folder: string; origin: Origin; providers: readonly Provider[] },
): Promise<Manifest['places']> {
  const found = manifest.parse(JSON.parse(await readFile(join(folder, 'snapshot.json'), 'utf8')))
  if (found.fingerprint !== foldFingerprint)
    throw new Error('The snapshot is of another version of the fold. Fill the index from the chain instead.')
  if (found.chainId !== origin.chainId || found.contracts !== canonicalizeRecord(origin.markets))
    throw new Error('The snapshot is of other contracts or another chain than the deployments file.')
  for (const [market, { number, hash }] of Object.entries(found.places))
    for (const { rpc } of providers.slice(0, 2)) {
      const header = await getHeader(rpc, BigInt(number))
      if (header?.hash !== hash)
        throw new Error(`${rpc.name} has another block ${number} than the ${market} market of the snapshot.`)
    }
  const wanted = {
    name,
    fingerprint: foldFingerprint,
    reason: 'loaded from a snapshot',
    now: Math.floor(Date.now() / 1000),
  }
  const made = await startGeneration(sql, wanted)
  const generations = await listGenerations(sql, name)
  if (!made || generations.length > 1)
    throw new Error(`There is a build of ${name} already. Load into an empty database.`)
  await sql.begin(async (step) => {
    // An indexer that starts meanwhile must not fill the same tables.
    for (const market of markets)
      await step`select pg_advisory_xact_lock(hashtextextended(${getWriterLockKey(made.build, market)}, 0))`
    await step`set local search_path to ${step(getSchemaName(made.build))}`
    for (const table of tables) {
      const { columns, sha256 } = found.tables[table]
      if (columns.join() !== (await listColumns(step, table)).join())
        throw new Error(`Table ${table} of the snapshot has other columns.`)
      const into = await step`copy ${step(table)} (${step(columns)}) from stdin`.writable()
      const counted = createDigest()
      await pipeline(createReadStream(join(folder, `${table}.zst`)), createZstdDecompress(), counted.pass, into)
      if (counted.result() !== sha256) throw new Error(`Table ${table} of the snapshot was changed or is incomplete.`)
    }
    if (canonicalizeRecord(await readPlaces(step)) !== canonicalizeRecord(found.places))
      throw new Error('The rows of the snapshot are of other blocks than it says.')
  })
  await sql.unsafe(`set search_path to ${getSchemaName(made.build)}; analyze`)
  return found.places
}

async function readPlaces(step: TransactionSql): Promise<Manifest['places']> {
  const read = async (market: Market) => {
    const cursor = await loadCursor(step, marketNumber(market))
    if (!cursor || cursor.halted) throw new Error(`The ${market} market has no blocks, or is halted.`)
    return { number: String(cursor.number), hash: cursor.hash, digest: cursor.digest }
  }
  return { standard: await read('standard'), micro: await read('micro') }
}

async function listColumns(step: TransactionSql, table: string): Promise<string[]> {
  const rows = await step<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by column_name`
  return rows.map(({ name }) => name)
}

/** Passes bytes on and counts their SHA-256. */
function createDigest(): { pass: Transform; result: () => string } {
  const hash = createHash('sha256')
  const pass = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { pass, result: () => hash.digest('hex') }
}
