// Follows both markets into Postgres: node apps/indexer/src/main.ts [--check-config | --serve-build NAME | --drop-build NAME]
// The only file of this app with side effects. docs/operations.md describes how to run it.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import {
  createBuild,
  createConnector,
  dropBuild,
  getSchemaName,
  loadCursor,
  marketNumber,
  serveBuild,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createLogThrottle, describeDefaultRpc, getErrorMessage, readConfig, startHealthServer } from '@svc/serve'
import { pino } from 'pino'
import { compareMarket } from './compareMarket.ts'
import { readIndexerEnv } from './env.ts'
import { followChain, type Progress } from './follow.ts'
import { createMarketHealth } from './health.ts'
import { createIndexerMetrics } from './metrics.ts'
import { createProgressLog } from './progressLog.ts'
import { promoteBuild } from './promoteBuild.ts'

/** Time to finish the current step on shutdown. A provider that does not respond is not waited for. */
const shutdownMs = 1_500

const { values: flags } = parseArgs({
  options: {
    'check-config': { type: 'boolean', default: false },
    'serve-build': { type: 'string' },
    'drop-build': { type: 'string' },
  },
})
const { env, deployments } = await readConfig(readIndexerEnv, process.env).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
const { chainId, startBlock, shared, markets: contracts } = deployments
const build = env.SVC_INDEX_BUILD
const log = pino({ base: null, level: env.SVC_LOG_LEVEL })
const connect = createConnector(env.SVC_DATABASE_URL)
const sql = connect(getSchemaName(build))
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, createViemChain(chainId)).all
const metrics = createIndexerMetrics()
const health = createMarketHealth()
const report = createProgressLog(log)
const caughtUp = new Set<Market>()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  const { 'check-config': check, 'serve-build': serve, 'drop-build': drop } = flags
  if (check)
    console.log(
      `Configuration is valid: ${providers.length} providers, chain ${chainId} from block ${startBlock}, build ${build}.`,
    )
  else if (serve) await serveBuild(sql, serve)
  else if (drop) await dropBuild(sql, drop)
  else await run()
} catch (error) {
  log.fatal(error)
  process.exit(1)
}
process.exit(0)

/** Runs until a signal stops it. */
async function run(): Promise<void> {
  const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (rpcNotice) log.warn(rpcNotice)
  if (providers.length === 1) log.warn('only one provider: its responses are not cross-checked')
  const readCursor = (market: Market) => withTimeout(loadCursor(sql, marketNumber(market)))
  await startHealthServer({
    port: env.SVC_INDEX_PORT,
    host: env.SVC_INDEX_HOST,
    readiness: () => health.readiness(readCursor),
    registry: metrics.registry,
  })
  await retryUntilDone('create the tables', () => createBuild(sql, build))
  const work = Promise.all([...markets.map(followMarket), ...markets.map(keepComparing)])
  await Promise.race([work, once(stop.signal, 'abort').then(() => wait(shutdownMs))])
  log.info('stopped')
}

function followMarket(market: Market): Promise<void> {
  return followChain({
    market,
    build,
    connect,
    providers,
    chainId,
    contracts: contracts[market],
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
  // A new build serves readers only when it is complete.
  if (caughtUp.size < markets.length) return
  void retryUntilDone('switch readers to the build', async () => log.info({ build }, await promoteBuild(sql, build)))
}

/** Compares the index with contract storage until the process stops. */
async function keepComparing(market: Market): Promise<void> {
  for (let turn = 0; !stop.signal.aborted; turn++) {
    await pause(env.SVC_INDEX_SAMPLE_SECONDS * 1000)
    if (stop.signal.aborted) return
    const start = turn % providers.length
    const rotated = [...providers.slice(start), ...providers.slice(0, start)]
    try {
      const found = await compareMarket(
        sql,
        { market, contracts: contracts[market], chainId, asset: shared.tokToken },
        rotated,
      )
      if (!found) continue
      metrics.compared(market, found.rows, found.differences.length)
      log.debug(
        { market, provider: start + 1, rows: found.rows, differences: found.differences.length, halted: found.halted },
        'compared with contract storage',
      )
      if (!found.halted) continue
      log.error({ market, differences: found.differences }, 'the index differs from the chain')
      watch(market, { kind: 'halted', reason: found.halted })
    } catch (error) {
      log.warn({ market, err: getErrorMessage(error as Error) }, 'comparison failed')
    }
  }
}

/** Retries until it succeeds: the database may start later than this process. */
async function retryUntilDone(what: string, work: () => Promise<void>): Promise<void> {
  const throttle = createLogThrottle(10_000, Date.now)
  while (!stop.signal.aborted) {
    try {
      return await work()
    } catch (error) {
      const times = throttle.shouldLog(what)
      if (times !== null) log.warn({ times, err: getErrorMessage(error as Error) }, `cannot ${what} yet, retrying`)
      await pause(500)
    }
  }
}

async function pause(ms: number): Promise<void> {
  await wait(ms, undefined, { signal: stop.signal }).catch(() => {})
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const late = wait(2_000, undefined, { ref: false }).then(() => {
    throw new Error('no response in 2 s')
  })
  return Promise.race([answer, late])
}
