import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { loadServedCursors } from '@svc/index'
import { buildDeployments, simPlaces } from '@svc/simulation/chain'
import { startCluster } from '../../test/harness/cluster.ts'
import { type Filled, fillDatabase, postgresSettings } from '../scale/fill.ts'
import { runPgbench, writePgbenchScript } from './pgbench.ts'
import { type Program, serveHead, startBare, startBenchApi } from './servers.ts'
import { type Load, runWrk } from './wrk.ts'

export interface ApiBenchOptions {
  tasks: number
  events: number
  smallTasks: number
  seconds: number
  rounds: number
  log: (line: string) => void
}

/** The medians for one size of the index. */
export interface ApiBench {
  tasks: number
  bytes: number
  hono: Load
  http: Load
  /** The same request again and again. Nothing changes, so it is rendered once. */
  cached: Load
  /** The same, with the ETag of the answer. */
  notModified: Load
  /** A different page every time, so that no answer is cached. */
  uncached: Load
  /** The same, of two processes together. */
  uncachedByTwo: Load
  postgres: number
}

/** Starts the real API over a small and a large index, and measures it and the bare engines in turn. */
export async function runApiBench(options: ApiBenchOptions): Promise<{ small: ApiBench; large: ApiBench }> {
  const { tasks, events, smallTasks, log } = options
  const cluster = await startCluster([...postgresSettings, 'max_connections=100'])
  const folder = await mkdtemp(join(tmpdir(), 'bench-api-'))
  const filled: Filled[] = []
  try {
    const part = Math.round((events * smallTasks) / tasks)
    filled.push(await fillDatabase(cluster, 'small', { tasks: smallTasks, events: part }, log))
    filled.push(await fillDatabase(cluster, 'large', { tasks, events }, log))
    const deployments = join(folder, 'deployments.json')
    await saveDeployments(deployments, buildDeployments(simPlaces(8453), 0))
    const [small, large] = await benchBoth(filled, folder, deployments, options)
    if (!small || !large) throw new Error('No round was measured.')
    return { small, large }
  } finally {
    await Promise.all(filled.map(({ sql }) => sql.end({ timeout: 1 })))
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function benchBoth(filled: readonly Filled[], folder: string, deployments: string, options: ApiBenchOptions) {
  const found: ApiBench[] = []
  for (const [index, { url, sql, made }] of filled.entries()) {
    const cursor = (await loadServedCursors(sql)).get('standard')
    const [row] = await sql<{ highest: string }[]>`select max(key) as highest from market.task where market = 0`
    if (!cursor || !row) throw new Error('The index is empty.')
    const head = await serveHead(cursor)
    const port = 18_800 + index * 10
    const startApi = (name: string, at: number) =>
      startBenchApi(folder, name, {
        CHAIN_RPC_URL: head.url,
        SVC_PUBLIC_RPC_URL: head.url,
        SVC_DATABASE_URL: url,
        SVC_DEPLOYMENTS: deployments,
        SVC_SITE_PORT: String(at),
        SVC_RATE_READS: '100000000',
        SVC_DRAIN_MS: '0',
      })
    const api = await startApi(`api${index}`, port)
    const second = await startApi(`second${index}`, port + 3)
    const question = '/api/market/open?limit=100'
    const answer = await fetch(`${api.url}${question}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const file = join(folder, 'answer.json')
    await writeFile(file, bytes)
    const bare = [await startBare('hono', port + 1, file), await startBare('http', port + 2, file)]
    const script = join(folder, `open${index}.sql`)
    await writePgbenchScript(script, BigInt(row.highest))
    const positions = await writePositions(join(folder, `positions${index}.lua`), Number(row.highest))
    const { seconds, rounds, log } = options
    const runs: Omit<ApiBench, 'tasks' | 'bytes'>[] = []
    const readPages = ({ url: at }: Program) => runWrk(`${at}${question}`, seconds, ['-s', positions])
    for (let round = 0; round < rounds; round++) {
      const [hono, http] = [
        await runWrk(`${bare[0]?.url}${question}`, seconds),
        await runWrk(`${bare[1]?.url}${question}`, seconds),
      ]
      runs.push({
        hono,
        http,
        cached: await runWrk(`${api.url}${question}`, seconds),
        notModified: await runWrk(`${api.url}${question}`, seconds, [
          '-H',
          `If-None-Match: ${answer.headers.get('etag')}`,
        ]),
        uncached: await readPages(api),
        uncachedByTwo: await measureTogether([api, second], readPages),
        postgres: await runPgbench(url, script, seconds),
      })
      log(`${made.tasks} tasks, round ${round + 1} of ${rounds}`)
    }
    for (const program of [api, second, ...bare]) await program.stop()
    head.close()
    found.push({ tasks: made.tasks, bytes: bytes.length, ...medians(runs) })
  }
  return found
}

/** Measures several processes at once. */
async function measureTogether(
  programs: readonly Program[],
  measure: (program: Program) => Promise<Load>,
): Promise<Load> {
  const loads = await Promise.all(programs.map(measure))
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50Ms: Math.max(...loads.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
  }
}

/** Writes a script for wrk with more positions than the API caches, one after another. */
async function writePositions(file: string, highest: number): Promise<string> {
  const wanted = Math.min(20_000, highest - 200)
  const cursors = Array.from({ length: wanted }, (_, index) => {
    const place = 200 + Math.floor(((index * 7_919) % wanted) * ((highest - 200) / wanted))
    return `"${Buffer.from(String(place)).toString('base64url')}"`
  })
  await writeFile(
    file,
    `local positions = {${cursors.join(',')}}
local at = 0
request = function()
  at = at % #positions + 1
  return wrk.format("GET", "/api/market/open?limit=100&cursor=" .. positions[at])
end
`,
  )
  return file
}

function medians(runs: readonly Omit<ApiBench, 'tasks' | 'bytes'>[]): Omit<ApiBench, 'tasks' | 'bytes'> {
  const middle = <T>(values: readonly T[], size: (value: T) => number): T => {
    const value = values.toSorted((a, b) => size(a) - size(b))[values.length >> 1]
    if (value === undefined) throw new Error('There was no round.')
    return value
  }
  const load = (pick: (run: (typeof runs)[number]) => Load) => middle(runs.map(pick), ({ perSecond }) => perSecond)
  return {
    hono: load(({ hono }) => hono),
    http: load(({ http }) => http),
    cached: load(({ cached }) => cached),
    notModified: load(({ notModified }) => notModified),
    uncached: load(({ uncached }) => uncached),
    uncachedByTwo: load(({ uncachedByTwo }) => uncachedByTwo),
    postgres: middle(
      runs.map(({ postgres }) => postgres),
      (value) => value,
    ),
  }
}
