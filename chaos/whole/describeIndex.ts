import { createRpc } from '@svc/chain'
import { getSchemaName, getServingBuild, listGenerations } from '@svc/index'
import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { numberToHex } from 'viem'
import type { LogLine } from '../shared/appProcess.ts'
import { fetchClientAnswer } from '../shared/replica.ts'

/** What the indexer writes to, reads from and says. */
export interface ObservedIndexer {
  /** The name of its first build. */
  build: string
  rpcUrls: readonly string[]
  healthUrl: string
  /** Its log, also from before it was killed. */
  lines: () => readonly LogLine[]
}

/** The part of the log that is described: the last minute, and warnings and errors of any time. */
const [recentMs, warning] = [60_000, 40]
const maxLines = 80

/** Returns the build that readers see. */
export async function findServingBuild(sql: Sql): Promise<string> {
  const build = await getServingBuild(sql)
  if (!build) throw new Error('No build of the index serves.')
  return build
}

/**
 * Describes why an index may be wrong or late: its builds with their cursors, what each provider has at the block of each cursor,
 * the readiness of the indexer, and what it logged in the last minute, or as a warning or an error.
 */
export async function describeIndex(sql: Sql, indexer: ObservedIndexer, now = Date.now()): Promise<string> {
  const builds = await listGenerations(sql, indexer.build)
  const cursors = await Promise.all(builds.map(({ build }) => describeCursors(sql, build, indexer.rpcUrls)))
  const ready = await fetchClientAnswer(`${indexer.healthUrl}/readyz`).catch((error: Error) => ({
    body: String(error),
  }))
  const lines = indexer.lines().filter(({ time = 0, level = 0 }) => time > now - recentMs || Number(level) >= warning)
  return [
    `serving: ${await getServingBuild(sql)}`,
    ...builds.map((each) => `build: ${JSON.stringify(each)}`),
    ...cursors.flat(),
    ...(await Promise.all(indexer.rpcUrls.map(async (url) => `head: ${await describeBlock(url, 'latest')}`))),
    `readiness: ${JSON.stringify(ready.body)}`,
    ...collapseLines(lines).map(({ line, times }) => `log (${times} times): ${JSON.stringify(line).slice(0, 500)}`),
  ].join('\n    ')
}

/** Returns the last of the lines that say the same, and how many there were. */
function collapseLines(lines: readonly LogLine[]): { line: LogLine; times: number }[] {
  const same = Map.groupBy(lines, ({ time: _, ...line }) => JSON.stringify({ ...line, times: 0 }))
  return [...same.values()]
    .flatMap((group) => group.slice(-1).map((line) => ({ line, times: group.length })))
    .toSorted((a, b) => (a.line.time ?? 0) - (b.line.time ?? 0))
    .slice(-maxLines)
}

async function describeCursors(sql: Sql, build: string, rpcUrls: readonly string[]): Promise<string[]> {
  const rows = await sql<Cursor[]>`
    select market, number, '0x' || encode(hash, 'hex') as hash, halted, refolds, suspects
    from ${sql(getSchemaName(build))}.cursor order by market`.catch(() => [])
  return Promise.all(
    rows.map(async ({ market, ...cursor }) => {
      const found = await Promise.all(rpcUrls.map((url) => describeBlock(url, numberToHex(BigInt(cursor.number)))))
      return `cursor of ${build} ${markets[market]}: ${JSON.stringify(cursor)}; providers there: ${found.join(', ')}`
    }),
  )
}

interface Cursor {
  market: number
  number: string
  hash: string
  halted: string | null
  refolds: number
  suspects: string
}

async function describeBlock(url: string, block: string): Promise<string> {
  const rpc = createRpc({ name: 'provider', url })
  const found = (await rpc.request('eth_getBlockByNumber', [block, false]).catch(String)) as
    | { number: string; hash: string }
    | string
    | null
  return found && typeof found === 'object' ? `${Number(found.number)} ${found.hash}` : String(found)
}
