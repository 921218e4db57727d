import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { saveDeployments } from '@svc/chain'
import { loadServedCursors } from '@svc/index'
import { buildDeployments, simPlaces } from '@svc/simulation/chain'
import { startCluster } from '../../test/harness/cluster.ts'
import { findFreePort } from '../../test/harness/freePorts.ts'
import { startNginx } from '../../test/harness/nginx.ts'
import { serveHead, startBenchApi } from '../api/servers.ts'
import { type Load, runWrk } from '../api/wrk.ts'
import { fillDatabase, postgresSettings } from '../scale/fill.ts'
import { startBareNginx } from './bareNginx.ts'
import { type ChangeDelays, changeRepeatedly } from './changes.ts'

export interface EdgeBenchOptions {
  tasks: number
  seconds: number
  rounds: number
  changeMs: number
  log: (line: string) => void
}

/** One way to request the list; the median of all rounds. */
export interface Variant {
  name: string
  /** The size of the body as it is sent. */
  bytes: number
  edge: Load
  bare: Load
  /** Requests for the list that reached the replica meanwhile. */
  originPerSecond: number
}

const question = '/api/market/open?limit=100'

/** Starts the real API, nginx in front of it and a bare nginx, and measures both in turn while the market changes. */
export async function runEdgeBench(options: EdgeBenchOptions): Promise<{ variants: Variant[]; seen: ChangeDelays }> {
  const { tasks, log, changeMs } = options
  const cluster = await startCluster([...postgresSettings, 'max_connections=100'])
  const folder = await mkdtemp(join(tmpdir(), 'bench-edge-'))
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true }), cluster.remove]
  try {
    const { url, sql } = await fillDatabase(cluster, 'edge', { tasks, events: tasks * 8 }, log)
    closing.push(() => sql.end({ timeout: 1 }))
    const cursor = (await loadServedCursors(sql)).get('standard')
    if (!cursor) throw new Error('The index is empty.')
    const head = await serveHead(cursor)
    closing.push(async () => head.close())
    const deployments = join(folder, 'deployments.json')
    await saveDeployments(deployments, buildDeployments(simPlaces(8453), 0))
    const port = await findFreePort()
    const api = await startBenchApi(folder, 'api', {
      CHAIN_RPC_URL: head.url,
      SVC_PUBLIC_RPC_URL: head.url,
      SVC_DATABASE_URL: url,
      SVC_DEPLOYMENTS: deployments,
      SVC_SITE_PORT: String(port),
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_DRAIN_MS: '0',
    })
    closing.push(api.stop)
    const nginx = await startNginx([port])
    closing.push(nginx.stop)
    const plain = Buffer.from(await (await fetch(`${api.url}${question}`)).arrayBuffer())
    const gzip = gzipSync(plain, { level: 5 })
    const bare = await startBareNginx(join(folder, 'bare'), { plain, gzip })
    closing.push(bare.stop)
    const changing = changeRepeatedly(sql, `${nginx.url}${question}`, changeMs)
    const variants = await measure({ edge: nginx.url, bare: bare.url, api: api.url }, { plain, gzip }, options)
    return { variants, seen: await changing.stop() }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

async function measure(
  at: { edge: string; bare: string; api: string },
  { plain, gzip }: { plain: Buffer; gzip: Buffer },
  { seconds, rounds, log }: EdgeBenchOptions,
): Promise<Variant[]> {
  const ways = [
    { name: 'plain', bytes: plain.length, file: 'plain', flags: [] },
    { name: 'gzip', bytes: gzip.length, file: 'gzip', flags: ['-H', 'Accept-Encoding: gzip'] },
    { name: 'not changed (304)', bytes: 0, file: 'plain', flags: ['-H', 'If-None-Match: *'] },
  ]
  const runs = ways.map((): Pick<Variant, 'edge' | 'bare' | 'originPerSecond'>[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, file, flags }] of ways.entries()) {
      const bare = await runWrk(`${at.bare}/${file}`, seconds, name.startsWith('not') ? flags : [])
      const [before, began] = [await countAnswers(at.api), performance.now()]
      const edge = await runWrk(`${at.edge}${question}`, seconds, flags)
      const originPerSecond = ((await countAnswers(at.api)) - before) / ((performance.now() - began) / 1000)
      runs[index]?.push({ edge, bare, originPerSecond })
    }
    log(`round ${round + 1} of ${rounds}`)
  }
  return ways.map(({ name, bytes }, index) => {
    const sorted = (runs[index] ?? []).toSorted((a, b) => a.edge.perSecond - b.edge.perSecond)
    const middle = sorted[sorted.length >> 1]
    if (!middle) throw new Error('There was no round.')
    return { name, bytes, ...middle }
  })
}

/** How often a replica has answered requests for the list. */
async function countAnswers(api: string): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text()
  const counts = text.matchAll(/^svc_api_request_seconds_count\{[^}]*route="\/api\/market\/open"[^}]*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
