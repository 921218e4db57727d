import { createProvider, type Provider, type Rpc } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Simulation } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'
import type { Chain } from 'viem'
import { type FollowOptions, followChain, type Progress } from '../../apps/indexer/src/follow.ts'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import type { Runner, Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

export interface FollowersOptions {
  scheduler: Scheduler
  trace: Trace
  random: Random
  simulation: Simulation
  chain: Chain
  rpcs: Readonly<Record<Market, readonly Rpc[]>>
  build: string
  maxBlocks: number
  /** How many later blocks make a block settled; by default as on the real chain. */
  unsettled: bigint | undefined
  parts?: FollowOptions['parts']
  /** Called before every request. The chain may change meanwhile. */
  onRequest: () => void
  onIdle: () => void
  onProgress: (market: Market, progress: Progress) => void
}

/** Starts followers on a scheduler. When `start` returns, each one waits at its first point or is on the way to it. */
export function createFollowers(options: FollowersOptions) {
  const {
    scheduler,
    trace,
    random,
    simulation,
    chain,
    rpcs,
    build,
    maxBlocks,
    unsettled,
    parts,
    onRequest,
    onIdle,
    onProgress,
  } = options
  const stop = new AbortController()
  let started = 0

  /** The same provider, with every request in the trace. */
  const traceRpc = (runner: Runner, rpc: Rpc): Rpc => ({
    name: rpc.name,
    async request(method, params) {
      onRequest()
      const asked = `${rpc.name} ${method} ${JSON.stringify(params)}`
      try {
        const answer = await rpc.request(method, params)
        trace.record(runner.name, asked.slice(0, 120), `${asked} ${JSON.stringify(answer)}`)
        return answer
      } catch (error) {
        trace.record(runner.name, `${asked.slice(0, 120)} ${(error as Error).message}`)
        throw error
      }
    },
  })

  /** The same provider, sometimes slow at the first request of a step. */
  const delayProvider = (runner: Runner, { rpc, client }: Provider): Provider => ({
    client,
    rpc: {
      name: rpc.name,
      async request(method, params) {
        if (params[0] === 'latest' && random.chance(0.01)) await scheduler.park(runner, 'request', rpc.name)
        return rpc.request(method, params)
      },
    },
  })
  // The others are asked at the same time, and a runner waits at one point only.
  const delayFirst = (runner: Runner, [first, ...others]: readonly Provider[]) =>
    first ? [delayProvider(runner, first), ...others] : []
  const decideStep = parts?.nextStep ?? decideNextStep

  return {
    /** Starts a follower of a market. */
    start(market: Market): Runner {
      const runner = scheduler.join(`${market}-${++started}`, market)
      const providers: Provider[] = rpcs[market].map((rpc) => createProvider(traceRpc(runner, rpc), chain))
      followChain({
        market,
        build,
        connect: scheduler.connect(runner),
        providers,
        chainId: simulation.places.chainId,
        contracts: simulation.places.markets[market],
        startBlock: simulation.startBlock,
        maxBlocks,
        onProgress(progress) {
          if (runner.dead) return
          trace.record(runner.name, formatProgress(progress))
          onProgress(market, progress)
        },
        pause(why) {
          if (why === 'idle' && !runner.dead) onIdle()
          return scheduler.park(runner, 'pause', why)
        },
        signal: stop.signal,
        parts: {
          ...parts,
          nextStep(ring, cursor, asked) {
            // A read ahead has no cursor yet and runs beside a write. Parking it would give the runner two points.
            const isAhead = !('digest' in cursor)
            return decideStep(isAhead ? ring : delayFirst(runner, ring), cursor, {
              ...asked,
              ...(unsettled && { unsettled }),
            })
          },
        },
      }).then(() => scheduler.leave(runner))
      return runner
    },
    /** Stops the followers at their next point. */
    stop: () => stop.abort(),
  }
}

function formatProgress(progress: Progress): string {
  if ('cursor' in progress)
    return `${progress.kind} ${progress.cursor.number} ${progress.cursor.hash} ${progress.cursor.digest}`
  if (progress.kind === 'halted') return `halted ${progress.reason}`
  if (progress.kind === 'standby') return 'standby'
  // The database client's message contains the port, which differs between runs.
  const { code, message } = progress.error as Error & { code?: string }
  return `stalled ${code ?? message}`
}
