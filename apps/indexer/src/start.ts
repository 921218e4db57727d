import { setTimeout as wait } from 'node:timers/promises'
import {
  createConnector,
  findMarketFault,
  foldFingerprint,
  getSchemaName,
  getServingBuild,
  loadCursor,
  marketNumber,
  type RowKey,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createLogThrottle, endsSoon, getErrorMessage, type Part, type PartContext } from '@svc/serve'
import type { Sql } from 'postgres'
import { createBuildSupervisor, type RunningBuild } from './buildSupervisor.ts'
import { compareBuild } from './compareBuild.ts'
import { compareMarket } from './compareMarket.ts'
import type { Env } from './env.ts'
import { MissingEventsError } from './errors.ts'
import { createFinality, finalDepth } from './finality.ts'
import { followChain, listAddresses, type Progress } from './follow.ts'
import { createHeadSignal } from './headSignal.ts'
import { type PushedHeads, subscribeToHeads } from './headSocket.ts'
import { createMarketHealth, findServingFault } from './health.ts'
import { createIndexerMetrics } from './metrics.ts'
import { decideNextStep, type FollowedProvider } from './nextStep.ts'
import { createProgressLog, type ProgressLog } from './progressLog.ts'
import type { ComparedMarket } from './rowKinds.ts'
import { shareSteps } from './sharedSteps.ts'

export { readIndexerEnv } from './env.ts'

/** Follows both markets into Postgres. */
export function startIndexer(context: PartContext<Env>): Part {
  const { env, deployments, providers: checked, log, registry, signal: stopping } = context
  const build = env.SVC_INDEX_BUILD
  const { chainId, startBlock, shared, markets: contracts } = deployments
  const connect = createConnector(env.SVC_DATABASE_URL)
  const sql = connect(getSchemaName(build))
  const metrics = createIndexerMetrics(registry)
  // Copies, since each gets its pushed heads.
  const providers: FollowedProvider[] = checked.all.map((each) => ({ ...each }))
  /** What is known of the builds that this process follows. */
  const followed = new Map<string, ReturnType<typeof watchBuild>>()
  let comparisons = 0
  const supervisor = createBuildSupervisor({
    sql,
    name: build,
    fingerprint: foldFingerprint,
    start: startBuild,
    // Each attempt begins with another provider, since one of them may not answer.
    compare: (candidate) =>
      withConnection(candidate, (connection) =>
        compareBuild(connection, markets.map(describeMarket), rotateProviders(comparisons++)),
      ),
    log,
    onRebuild: metrics.rebuild,
    onServing: metrics.servingChanged,
  })
  /** A market that cannot go on says so several times a second. */
  const rebuildThrottle = createLogThrottle(30_000, Date.now)
  const newHead = createHeadSignal()
  const finality = createFinality({
    refreshMs: 10_000,
    onChange: metrics.finalityChanged,
  })
  /** A follower ends with an error only if it cannot go on. */
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  const done = Promise.race([endsSoon(run(), stopping), failed]).finally(() => sql.end({ timeout: 0 }))
  return { readiness: assessReadiness, done }

  async function run(): Promise<void> {
    if (providers.length === 1) log.warn('only one provider: its responses are not cross-checked')
    await retryUntilDone('create the tables', supervisor.prepare)
    for (const [index, url] of env.CHAIN_WS_URL.entries()) {
      const provider = providers[index]
      if (url && provider) provider.heads = followHeads(provider.rpc.name, url)
    }
    await supervisor.run(stopping)
  }

  /** Says whether this process stands for what readers see: it follows the serving build, whose rows are recent and right. */
  async function assessReadiness() {
    const { serving, why } = await withTimeout(getServingBuild(sql)).then(
      (found) => ({ serving: found, why: findServingFault(found, supervisor.follows) }),
      // Each market says that the database does not answer.
      () => ({ serving: null, why: null }),
    )
    const shown = serving !== null && supervisor.follows(serving) ? serving : (supervisor.current() ?? build)
    const { health } = followed.get(shown) ?? watchBuild(shown)
    const readMarket = (market: Market) =>
      withTimeout(
        withConnection(shown, async (connection) => {
          const cursor = await loadCursor(connection, marketNumber(market))
          return cursor && { ...cursor, fault: await findMarketFault(connection, marketNumber(market)) }
        }),
      )
    return { ...(await health.readiness(readMarket, why)), build: shown, serving, ...describeFinality() }
  }

  function watchBuild(build: string) {
    const buildLog = build === env.SVC_INDEX_BUILD ? log : nameBuild(build)
    return { log: buildLog, report: createProgressLog(buildLog), health: createMarketHealth() }
  }

  /** Says in every line which build it is about. */
  function nameBuild(build: string): ProgressLog {
    return {
      info: (fields, message) => log.info({ build, ...fields }, message),
      warn: (fields, message) => log.warn({ build, ...fields }, message),
      error: (fields, message) => log.error({ build, ...fields }, message),
    }
  }

  /** Follows both markets into a build, and compares it with the chain. */
  function startBuild(build: string): RunningBuild {
    const stop = new AbortController()
    const signal = AbortSignal.any([stopping, stop.signal])
    followed.set(build, watchBuild(build))
    metrics.follow(build)
    // Both markets read each block once.
    const nextSteps = shareSteps(markets.map((market) => listAddresses(contracts[market])))
    const work = markets.flatMap((market, index) => [
      followMarket(build, market, signal, nextSteps[index] ?? decideNextStep),
      keepComparing(build, market, signal),
    ])
    for (const each of work) each.catch(fail)
    return {
      async stop() {
        stop.abort()
        await Promise.all(work)
        followed.delete(build)
        metrics.forget(build)
      },
    }
  }

  function followHeads(name: string, url: string): PushedHeads {
    metrics.socketChanged(name, false)
    return subscribeToHeads({
      name,
      url,
      chainId: deployments.chainId,
      signal: stopping,
      onHead() {
        metrics.headPushed(name)
        newHead.notify()
      },
      onChange(live, why) {
        metrics.socketChanged(name, live)
        // A follower that waits for a head polls instead.
        newHead.notify()
        log.info({ provider: name, ...(why && { why }) }, live ? 'heads are pushed' : 'heads are polled')
      },
    })
  }

  /** Tells in readiness where a depth decides what is final. */
  function describeFinality() {
    const without = finality.withoutTag()
    if (without.length === 0) return {}
    const names = without.join(' and ')
    return { finality: `no finalized block from ${names}: blocks are final after ${finalDepth} others` }
  }

  function followMarket(
    build: string,
    market: Market,
    signal: AbortSignal,
    nextStep: typeof decideNextStep,
  ): Promise<void> {
    return followChain({
      market,
      build,
      connect,
      providers,
      finality,
      parts: { nextStep },
      chainId,
      contracts: contracts[market],
      startBlock: BigInt(startBlock),
      maxBlocks: env.SVC_INDEX_MAX_BLOCKS,
      signal,
      pause: (why) =>
        why === 'idle' ? newHead.next(`${build} ${market}`, env.SVC_INDEX_POLL_MS, signal) : pause(250, signal),
      onProgress: (progress) => watch(build, market, progress),
      onDoubt: (provider, reason) => watchDoubt(build, market, provider, reason),
    })
  }

  function watch(build: string, market: Market, progress: Progress): void {
    const watched = followed.get(build)
    watched?.report(market, progress)
    watched?.health.progress(market, progress)
    metrics.progress(build, market, progress)
    if (progress.kind === 'caughtUp') supervisor.caughtUp(build, market, progress.cursor.number)
    const fault = findLastingFault(progress)
    if (fault && rebuildThrottle.shouldLog(`${build} ${market}`) !== null)
      void replaceBuild(build, `${market}: ${fault}`)
  }

  function watchDoubt(build: string, market: Market, provider: string, reason: string | null): void {
    const watched = followed.get(build)
    watched?.health.doubt(market, provider, reason)
    metrics.doubt(build, market, provider, reason)
    if (reason) watched?.log.warn({ market, provider, reason }, 'provider doubted')
    else watched?.log.info({ market, provider }, 'provider trusted again')
  }

  /** Compares the index with contract storage until the process stops. */
  async function keepComparing(build: string, market: Market, signal: AbortSignal): Promise<void> {
    const sql = connect(getSchemaName(build))
    const refolded = new Map<RowKey, number>()
    for (let turn = 0; !signal.aborted; turn++) {
      await pause(env.SVC_INDEX_SAMPLE_SECONDS * 1000, signal)
      // A build that is being filled is compared once it is complete.
      if (signal.aborted || build !== supervisor.current()) continue
      const rotated = rotateProviders(turn)
      try {
        const halted = (await loadCursor(sql, marketNumber(market)))?.halted
        if (halted) {
          // Asked for again: the last time it may have had to wait.
          await replaceBuild(build, `${market}: ${halted}`)
          continue
        }
        const found = await compareMarket(sql, describeMarket(market), rotated, {
          refolded,
          seconds: env.SVC_INDEX_SAMPLE_SECONDS,
        })
        if (!found) continue
        metrics.compared(build, market, found)
        log.debug(
          { market, provider: rotated[0]?.rpc.name, rows: found.rows, differences: found.differences.length },
          'compared with contract storage',
        )
        if (found.differences.length > 0)
          log.error({ market, differences: found.differences }, 'the index differs from the chain')
        if (found.healed > 0) log.info({ market, rows: found.healed }, 'folded again from the events, and equal now')
        const [broken] = found.broken
        if (!broken) continue
        log.error({ market, differences: found.broken }, 'differs again')
        await askForBuild(build, `${market}: ${broken.row} differs from contract storage`, supervisor.requestRebuild)
      } catch (error) {
        log.warn({ market, err: getErrorMessage(error as Error) }, 'comparison failed')
      }
    }
    await sql.end({ timeout: 0 })
  }

  /** Replaces a build that cannot go on. */
  function replaceBuild(build: string, reason: string): Promise<void> {
    return askForBuild(build, reason, supervisor.replaceBuild)
  }

  /** Asks for a new build. A single provider is not believed: what it says would be in the new build as well. */
  async function askForBuild(build: string, reason: string, ask: typeof supervisor.requestRebuild): Promise<void> {
    if (providers.length < 2) return log.warn({ build, reason }, 'not rebuilt: only one provider says so')
    await retryUntilDone('start a new build', () => ask(build, reason))
  }

  /** Returns the providers with another one first at each turn. */
  function rotateProviders(turn: number): FollowedProvider[] {
    const start = turn % providers.length
    return [...providers.slice(start), ...providers.slice(0, start)]
  }

  function describeMarket(market: Market): ComparedMarket {
    return { market, contracts: contracts[market], chainId, asset: shared.tokToken }
  }

  async function withConnection<T>(build: string, use: (sql: Sql) => Promise<T>): Promise<T> {
    const connection = connect(getSchemaName(build))
    try {
      return await use(connection)
    } finally {
      void connection.end({ timeout: 0 })
    }
  }

  /** Retries until it succeeds: the database may start later than this process. */
  async function retryUntilDone(what: string, work: () => Promise<void>): Promise<void> {
    const throttle = createLogThrottle(10_000, Date.now)
    while (!stopping.aborted) {
      try {
        return await work()
      } catch (error) {
        const times = throttle.shouldLog(what)
        if (times !== null) log.warn({ times, err: getErrorMessage(error as Error) }, `cannot ${what} yet, retrying`)
        await pause(500, stopping)
      }
    }
  }
}

/** Returns why the index of a market cannot go on by itself; null if it can. */
function findLastingFault(progress: Progress): string | null {
  if (progress.kind === 'halted') return progress.reason
  return progress.kind === 'stalled' && progress.error instanceof MissingEventsError ? progress.error.message : null
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const late = wait(2_000, undefined, { ref: false }).then(() => {
    throw new Error('no response in 2 s')
  })
  return Promise.race([answer, late])
}
