// pnpm bench restore [--events N]: how long it takes to be back after the database was lost, with a simulated chain of so many
// events: the posting tables from their backup, the index anew from two providers that agree. Every digest must be what it was.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '@svc/devnet'
import { schemaOf } from '@svc/index'
import postgres from 'postgres'
import { migrate } from '../../apps/api/src/migrate.ts'
import { backupCommand, restoreCommand, runFor } from '../../test/harness/backup.ts'
import { startCluster } from '../../test/harness/cluster.ts'
import { type TableDigest, tableDigests } from '../../test/harness/tableDigests.ts'
import type { BenchChain } from '../index/chain.ts'
import { startIndexer } from '../index/indexer.ts'
import { startSimulated } from '../index/simulated.ts'
import { watchRows } from '../index/visible.ts'
import { recordPosts } from './recordPosts.ts'

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } }, allowPositionals: true })
const limitMs = 1_200_000
const eventsPerBlock = 100

const chain = await startSimulated({
  seed: 1,
  eventsPerBlock,
  blocks: Math.ceil(Number(values.events) / eventsPerBlock),
  quiet: 1_000,
  held: 0,
})
const folder = await mkdtemp(join(tmpdir(), 'restore-'))
const settings = ['shared_buffers=512MB', 'max_wal_size=4GB']
let cluster = await startCluster(settings)
const times: [what: string, seconds: number][] = []
try {
  console.log(`${chain.events.toLocaleString('en')} events in ${chain.head.toLocaleString('en')} blocks`)
  await timed('first fill of the index, two providers', () => fill(chain, cluster.url))
  await withSql(async (sql) => {
    await migrate(sql)
    await recordPosts(sql)
  })
  const before = await timed('digests of all rows', () => withSql(digests))
  await timed('backup of the posting tables', () => runFor(cluster.url, folder, backupCommand))
  const { size } = await stat(join(folder, 'posting.dump'))
  await cluster.remove()
  await timed('an empty Postgres', async () => {
    cluster = await startCluster(settings)
  })
  await timed('posting tables from the backup', () => runFor(cluster.url, folder, restoreCommand))
  await timed('index anew, two providers', () => fill(chain, cluster.url))
  const after = await withSql(digests)
  const differs = before.filter(({ digest }, index) => digest !== after[index]?.digest)
  console.log(table([['what', 'seconds'], ...times.map(([what, seconds]) => [what, seconds.toFixed(1)])]))
  console.log(
    table([
      ['table', 'rows', 'digest'],
      ...after.map(({ table: name, rows, digest }) => [name, rows.toLocaleString('en'), digest.slice(0, 16)]),
    ]),
  )
  console.log(`The backup has ${size.toLocaleString('en')} bytes.`)
  console.log(differs.length === 0 ? 'Every digest is what it was.' : `Differs: ${differs.map((each) => each.table)}`)
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

/** Follows the chain to its head into an empty database, as a process of its own. */
async function fill(from: BenchChain, database: string): Promise<void> {
  const watch = await watchRows(database)
  const indexer = await startIndexer({ chain: from, providers: 2, database })
  try {
    await watch.reached(from.head, limitMs)
  } catch (error) {
    throw new Error(`The index did not get there: ${indexer.warnings.join('\n')}`, { cause: error })
  } finally {
    await indexer.stop()
    await watch.end()
  }
}

async function withSql<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function digests(sql: postgres.Sql): Promise<TableDigest[]> {
  return tableDigests(sql, schemaOf('a'))
}
