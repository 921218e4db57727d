import { setTimeout as wait } from 'node:timers/promises'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import {
  type Cursor,
  createBuild,
  createConnector,
  getSchemaName,
  loadCursor,
  marketNumber,
  serveBuild,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createNode, createSimulation, type Simulation } from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'
import postgres from 'postgres'
import { ProviderDisagreementError } from '../../apps/indexer/src/errors.ts'
import { type FollowOptions, followChain, type Progress } from '../../apps/indexer/src/follow.ts'
import { createMarketHealth } from '../../apps/indexer/src/health.ts'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import { findMismatch } from '../shared/findMismatch.ts'
import { openSimIndex } from '../shared/indexChecks.ts'
import { isLimit, type ProviderCase, providerFaults } from './cases.ts'
import { startProvider } from './provider.ts'

export interface CaseOptions extends ProviderCase {
  seed: number
  /** The case's own database. */
  url: string
  /** Defective parts of the follower, to test that they are noticed. */
  parts?: FollowOptions['parts']
}

export interface CaseReport {
  /** `equal`: reached the head. `stalled`: did not, and said why. */
  verdict: 'equal' | 'stalled' | 'failed'
  /** Why it stalled or failed. */
  why: string | null
  stalls: number
  doubted: readonly string[]
}

const rounds = 4
/** Clocks of providers and clients run faster, so that waits of seconds take little time. */
const speed = 20
/** A follower that made no progress this many times in a row has settled. */
const patience = 30
/** One that must reach the head fails after as many. */
const longPatience = 800
/** Followers report something at least after every pause. If none does for this long, one of them hangs. */
const silentMs = 60_000

/** Follows a chain through providers of which one has faults, and compares the index with the chain after every round. */
export async function runCase(options: CaseOptions): Promise<CaseReport> {
  const { seed, faults, providers: count, liars: liarCount = 1, url, parts } = options
  const random = createRandom(
    seed,
    count,
    ...faults
      .join()
      .split('')
      .map((letter) => letter.charCodeAt(0)),
  )
  const simulation = createSimulation({
    receipts: true,
    seed: random.below(2 ** 31),
    lags: { safe: 10, finalized: 30 },
    load: ({ chance, below }) => (chance(0.5) ? 0 : 1 + below(8)),
  })
  simulation.mine(70 + random.below(60))
  const now = () => Date.now() * speed
  const node = createNode(simulation)
  const firstLiar = random.below(count)
  const liars = Array.from({ length: liarCount }, (_, index) => (firstLiar + index) % count)
  const liarNames = liars.map((liar) => `provider ${liar + 1}`)
  const made = faults.map((name) => providerFaults[name]({ simulation, random, now }))
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      return startProvider(
        node,
        liars.includes(index) ? made : [],
        random.chance(0.3) ? { maxBatch: random.pick([0, 3]) } : {},
      )
    }),
  )
  const rpcs = servers.map((server, index) =>
    createRpc({ name: `provider ${index + 1}`, url: server.url, hasAlternative: true, now, timeoutMs: 5_000 }),
  )
  const { places, startBlock } = simulation
  const providers = createProviders(rpcs, createViemChain(places.chainId, places.multicall3)).all
  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')

  const connect = createConnector(url)
  const written = connect(getSchemaName('a'))
  const readCursor = (market: Market) => loadCursor(written, marketNumber(market))
  const stop = new AbortController()
  const health = createMarketHealth(() => simulation.chain.head().timestamp * 1000)
  const watch = createWatch(simulation, liarNames)
  const decideStep = parts?.nextStep ?? decideNextStep
  const followers = markets.map((market) =>
    followChain({
      market,
      build: 'a',
      connect,
      providers,
      chainId: places.chainId,
      contracts: places.markets[market],
      startBlock,
      maxBlocks: 20,
      onProgress(progress) {
        health.progress(market, progress)
        watch.progress(market, progress)
      },
      onDoubt(provider, reason) {
        health.doubt(market, provider, reason)
        if (reason) watch.doubted.add(provider)
      },
      pause: () => wait(5),
      signal: stop.signal,
      parts: { ...parts, nextStep: (order, cursor, asked) => decideStep(order, cursor, { ...asked, unsettled: 40n }) },
    }),
  )
  const reader = openSimIndex(sql)
  // Limits do not stop an index, and one of three does not stop two others.
  const mustReach = count === 3 || faults.every(isLimit)

  const findFault = async (): Promise<string | null> => {
    for (const market of markets) {
      const cursor = await readCursor(market)
      const found = cursor && (await findMismatch(simulation, reader, market, simulation.wallets.slice(0, 3)))
      if (found?.mismatch) return `${market} is wrong at block ${found.mismatch.block}: ${found.mismatch.what}`
    }
    const { markets: states } = await health.readiness(readCursor)
    for (const market of markets) {
      const cursor = await readCursor(market)
      if (states[market].ready && cursor && !isCanonical(simulation, cursor))
        return `${market} is ready at block ${cursor.number} of another chain`
    }
    const honest = [...watch.doubted].filter((name) => !liarNames.includes(name))
    return honest.length > 0 ? `${honest.join()} is honest but was doubted` : null
  }

  try {
    for (let round = 0; round < rounds; round++) {
      if (round === 2) simulation.reorg(1 + random.below(12), 1 + random.below(25), { replay: 0.5 })
      // An index that stops here is too old to be ready; one that is a few blocks late is not.
      if (round === rounds - 1) simulation.halt(60)
      simulation.mine(round === rounds - 1 ? 30 : 1 + random.below(25))
      await watch.settle(mustReach)
      const late = markets.find((market) => mustReach && !watch.isAtHead(market))
      if (late) return report('failed', `${late} did not reach the head: ${watch.reasons().join(' ')}`)
      // The follower of a market that is not at the head may be writing; then its pages differ and nothing is compared.
      const fault = await findFault()
      if (fault) return report('failed', fault)
    }
    if (markets.every((market) => watch.isAtHead(market))) return report('equal', null)
    const { markets: states } = await health.readiness(readCursor)
    for (const market of markets) {
      const { ready, why } = states[market]
      if (watch.isAtHead(market)) continue
      // A provider that is a few blocks late holds the index back by as much.
      if ((ready || !watch.hasStalled(market)) && faults.includes('staleHead')) continue
      if (ready) return report('failed', `${market} did not reach the head, but is ready`)
      if (!watch.namesLiar(market))
        return report('failed', `${market} does not say that ${liarNames.join()} is wrong: ${why}`)
    }
    return report('stalled', watch.reasons().join(' '))
  } catch (error) {
    return report('failed', (error as Error).stack ?? String(error))
  } finally {
    stop.abort()
    await Promise.all([...followers, ...servers.map(({ close }) => close())])
    await Promise.all([sql.end({ timeout: 1 }), written.end({ timeout: 1 })])
  }

  function report(verdict: CaseReport['verdict'], why: string | null): CaseReport {
    return { verdict, why, stalls: watch.stalls(), doubted: [...watch.doubted] }
  }
}

/** Remembers where followers are and why they stalled, and waits until they have settled. */
function createWatch(simulation: Simulation, liars: readonly string[]) {
  const cursors = new Map<Market, Cursor>()
  const idle = new Map<Market, number>()
  /** Where each follower has been since the chain last changed. */
  const visited = new Map(markets.map((market) => [market, new Set<string>()]))
  const reasons = new Map<Market, Error>()
  let [stalls, wake]: [number, () => void] = [0, () => {}]
  const isAtHead = (market: Market) => cursors.get(market)?.hash === simulation.chain.head().hash
  return {
    doubted: new Set<string>(),
    stalls: () => stalls,
    isAtHead,
    hasStalled: (market: Market) => reasons.has(market),
    reasons: () => [...new Set([...reasons.values()].map(({ message }) => message))],
    namesLiar(market: Market) {
      const error = reasons.get(market)
      const named = error instanceof ProviderDisagreementError ? error.providers : []
      return liars.some((liar) => named.includes(liar) || error?.message.includes(liar))
    },
    progress(market: Market, progress: Progress) {
      if ('cursor' in progress) cursors.set(market, progress.cursor)
      if (progress.kind === 'stalled') {
        stalls++
        reasons.set(market, progress.error)
      }
      const isWritten = progress.kind === 'appended' || progress.kind === 'rolledBack'
      if (isWritten) reasons.delete(market)
      // A follower that goes back and forth between two chains writes without end, but is nowhere new.
      const isNew = isWritten && !visited.get(market)?.has(progress.cursor.hash)
      if (isWritten) visited.get(market)?.add(progress.cursor.hash)
      idle.set(market, isNew ? 0 : (idle.get(market) ?? 0) + 1)
      wake()
    },
    /**
     * Waits until every market is at the head, or makes no progress. Those that must reach the head have much longer. The chain
     * stands still meanwhile, so there are only so many new places.
     */
    async settle(mustReach: boolean): Promise<void> {
      idle.clear()
      for (const places of visited.values()) places.clear()
      const most = mustReach ? longPatience : patience
      while (!markets.every((market) => isAtHead(market) || (idle.get(market) ?? 0) >= most))
        await new Promise<void>((resolve, reject) => {
          const silence = setTimeout(() => reject(new Error(`No follower reported for ${silentMs} ms.`)), silentMs)
          wake = () => {
            clearTimeout(silence)
            resolve()
          }
        })
    },
  }
}

const isCanonical = ({ chain }: Simulation, { number, hash }: Cursor) => chain.blockAt(Number(number))?.hash === hash
