// Follows both markets into Postgres: node apps/indexer/src/main.ts [--check-config | --serve-build NAME | --drop-build NAME]
// The only file of this app with side effects; docs/operations.md says how it is run.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chainOf, createProviders, createRpc } from '@svc/chain'
import { connector, createBuild, dropBuild, loadCursor, marketNumber, schemaOf, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { readConfig } from '@svc/serve'
import { pino } from 'pino'
import { compareMarket } from './compareMarket.ts'
import { readEnv } from './env.ts'
import { follow, type Progress } from './follow.ts'
import { createHealth } from './health.ts'
import { startHealthServer } from './healthServer.ts'
import { createMetrics } from './metrics.ts'
import { createReport, textOf } from './report.ts'
import { createSeldom } from './seldom.ts'
import { takeOver } from './takeOver.ts'

/** A step that has begun may end; a provider that is silent is not waited for. */
const lastMs = 1_500

const { values: flags } = parseArgs({
  options: {
    'check-config': { type: 'boolean', default: false },
    'serve-build': { type: 'string' },
    'drop-build': { type: 'string' },
  },
})
const { env, deployments } = await readConfig(readEnv, process.env).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
const { chainId, startBlock, shared, markets: places } = deployments
const build = env.SVC_INDEX_BUILD
const log = pino({ base: null })
const connect = connector(env.SVC_DATABASE_URL)
const sql = connect(schemaOf(build))
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, chainOf(chainId)).all
const metrics = createMetrics()
const health = createHealth()
const report = createReport(log)
const caughtUp = new Set<Market>()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  const { 'check-config': check, 'serve-build': serve, 'drop-build': drop } = flags
  if (check)
    console.log(`Complete: ${providers.length} providers, chain ${chainId} from block ${startBlock}, build ${build}.`)
  else if (serve) await serveBuild(sql, serve)
  else if (drop) await dropBuild(sql, drop)
  else await run()
} catch (error) {
  log.fatal(error)
  process.exit(1)
}
process.exit(0)

/** Until told to stop. */
async function run(): Promise<void> {
  if (providers.length === 1) log.warn('one provider only: nobody confirms what it says')
  const cursorOf = (market: Market) => inTime(loadCursor(sql, marketNumber(market)))
  await startHealthServer(env.SVC_INDEX_PORT, env.SVC_INDEX_HOST, () => health.readiness(cursorOf), metrics.registry)
  await untilDone('the tables are made', () => createBuild(sql, build))
  const work = Promise.all([...markets.map(followMarket), ...markets.map(keepComparing)])
  await Promise.race([work, once(stop.signal, 'abort').then(() => wait(lastMs))])
  log.info('stopped')
}

function followMarket(market: Market): Promise<void> {
  return follow({
    market,
    build,
    connect,
    providers,
    chainId,
    contracts: places[market],
    startBlock: BigInt(startBlock),
    maxBlocks: env.SVC_INDEX_MAX_BLOCKS,
    signal: stop.signal,
    pause: (why) => pause(why === 'idle' ? env.SVC_INDEX_POLL_MS : 250),
    onProgress: (progress) => watch(market, progress),
  })
}

function watch(market: Market, progress: Progress): void {
  metrics.progress(market, progress)
  health.progress(market, progress)
  report(market, progress)
  if (progress.kind !== 'caughtUp' || caughtUp.has(market)) return
  caughtUp.add(market)
  // A new build takes over only when it is whole.
  if (caughtUp.size < markets.length) return
  void untilDone('the build serves', async () => log.info({ build }, await takeOver(sql, build)))
}

/** Compares with contract storage for as long as the process lives. */
async function keepComparing(market: Market): Promise<void> {
  for (let turn = 0; !stop.signal.aborted; turn++) {
    await pause(env.SVC_INDEX_SAMPLE_SECONDS * 1000)
    if (stop.signal.aborted) return
    const start = turn % providers.length
    const ring = [...providers.slice(start), ...providers.slice(0, start)]
    try {
      const found = await compareMarket(
        sql,
        { market, contracts: places[market], chainId, asset: shared.tokToken },
        ring,
      )
      if (!found) continue
      metrics.compared(market, found.rows, found.differences.length)
      if (!found.halted) continue
      log.error({ market, differences: found.differences }, 'the index differs from the chain')
      watch(market, { kind: 'halted', reason: found.halted })
    } catch (error) {
      log.warn({ market, err: textOf(error as Error) }, 'nothing compared')
    }
  }
}

/** Tries until it works: the database may come later than this process. */
async function untilDone(what: string, work: () => Promise<void>): Promise<void> {
  const seldom = createSeldom(10_000, Date.now)
  while (!stop.signal.aborted) {
    try {
      return await work()
    } catch (error) {
      const times = seldom.due(what)
      if (times !== null) log.warn({ times, err: textOf(error as Error) }, `waiting until ${what}`)
      await pause(500)
    }
  }
}

async function pause(ms: number): Promise<void> {
  await wait(ms, undefined, { signal: stop.signal }).catch(() => {})
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = wait(2_000, undefined, { ref: false }).then(() => {
    throw new Error('no answer in 2 s')
  })
  return Promise.race([answer, late])
}
