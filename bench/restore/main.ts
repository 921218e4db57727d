// pnpm bench restore [--events N] [--spread N]: how long recovery takes after the database is lost, with a simulated chain of N events:
// the posting tables from their backup, the index rebuilt from two providers, and loaded from a snapshot. Every digest must be as before. With --spread, only one block of N
// has events.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { getSchemaName } from '@svc/index'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { encodeEventTopics, hexToBytes } from 'viem'
import type { TableDigest } from '../../apps/admin/src/backup/database.ts'
import { postingSchema } from '../../apps/api/src/posting/posting.ts'
import { backUp, restore } from '../../test/harness/backup.ts'
import { startCluster } from '../../test/harness/cluster.ts'
import { digestTables } from '../../test/harness/tableDigests.ts'
import type { BenchChain } from '../index/chain.ts'
import { startBenchIndexer } from '../index/indexer.ts'
import { startSimulatedChain } from '../index/simulated.ts'
import { watchRows } from '../index/visible.ts'

const { values } = parseArgs({
  options: { events: { type: 'string', default: '1000000' }, spread: { type: 'string' } },
  allowPositionals: true,
})
const limitMs = 1_200_000
const eventsPerBlock = 100

const chain = await startSimulatedChain({
  seed: 1,
  eventsPerBlock,
  blocks: Math.ceil(Number(values.events) / eventsPerBlock),
  quiet: 1_000,
  held: 0,
  spread: values.spread === undefined ? undefined : Number(values.spread),
})
const folder = await mkdtemp(join(tmpdir(), 'restore-'))
const settings = ['shared_buffers=512MB', 'max_wal_size=4GB']
let cluster = await startCluster(settings)
const times: [what: string, seconds: number][] = []
try {
  console.log(`${chain.events.toLocaleString('en')} events in ${chain.head.toLocaleString('en')} blocks`)
  await timed('first fill of the index, two providers', () => fill(chain, cluster.url))
  await withSql(async (sql) => {
    await migrateSchema(sql, postingSchema)
    await recordPosts(sql)
  })
  const before = await timed('digests of all rows', () => withSql(digests))
  const { size } = await stat(await timed('backup of the posting tables', () => backUp(cluster.url, folder)))
  await cluster.remove()
  await timed('an empty Postgres', async () => {
    cluster = await startCluster(settings)
  })
  await timed('posting tables from the backup', () => restore(cluster.url, folder))
  await timed('index rebuilt, two providers', () => fill(chain, cluster.url))
  const after = await withSql(digests)
  // This chain has no contract storage to compare the build with.
  await run('--serve-build', 'a', '--force')
  const snapshot = join(folder, 'snapshot')
  await timed('snapshot of the index saved', () => run('--save-snapshot', snapshot))
  await withSql((sql) => sql.unsafe('drop schema market cascade; drop schema index_a cascade'))
  await timed('snapshot loaded', () => run('--load-snapshot', snapshot))
  const loaded = await withSql(digests)
  const differs = before.filter(
    ({ digest }, index) => digest !== after[index]?.digest || digest !== loaded[index]?.digest,
  )
  console.log(formatTable([['what', 'seconds'], ...times.map(([what, seconds]) => [what, seconds.toFixed(1)])]))
  console.log(
    formatTable([
      ['table', 'rows', 'digest'],
      ...after.map(({ table: name, rows, digest }) => [name, rows.toLocaleString('en'), digest.slice(0, 16)]),
    ]),
  )
  console.log(`The backup is ${size.toLocaleString('en')} bytes.`)
  console.log(differs.length === 0 ? 'Every digest is as before.' : `Differs: ${differs.map((each) => each.table)}`)
  process.exitCode = differs.length === 0 ? 0 : 1
} finally {
  await chain.stop()
  await cluster.remove()
  await rm(folder, { recursive: true, force: true })
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  times.push([what, (performance.now() - began) / 1000])
  return result
}

/** Fills an empty database from the chain, with the indexer as a process. */
async function fill(from: BenchChain, database: string): Promise<void> {
  const watch = await watchRows(database)
  const indexer = await startBenchIndexer({ chain: from, providers: 2, database })
  try {
    await watch.reached(from.head, limitMs)
  } catch (error) {
    throw new Error(`The index did not reach the head: ${indexer.warnings.join('\n')}`, { cause: error })
  } finally {
    await indexer.stop()
    await watch.end()
  }
}

/** Runs the indexer as an operator does, with arguments with which it ends by itself. */
async function run(...args: string[]): Promise<void> {
  const indexer = await startBenchIndexer({ chain, providers: 2, database: cluster.url, args })
  const code = await indexer.ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${indexer.warnings.join('\n')}`)
}

async function withSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function digests(sql: Sql): Promise<TableDigest[]> {
  return digestTables(sql, getSchemaName('a'))
}

/** Records every open post in the index, with the columns that the API reads from its log. Block hashes are made up. */
async function recordPosts(sql: Sql): Promise<void> {
  const [topic] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' })
  await sql`
    insert into posting.post (market, block, hash, log_index, tx, poster, task, posted_at)
    select market, block, sha256(int8send(block)), log_index, tx, substring(topics from 77 for 20), task, "timestamp"
    from ${sql(`${getSchemaName('a')}.event`)}
    where substring(topics from 1 for 32) = ${Buffer.from(hexToBytes(topic))}`
}
