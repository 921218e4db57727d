import { type Provider, providerOf, type Rpc } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Chain } from 'viem'
import { type FollowOptions, follow, type Progress } from '../../apps/indexer/src/follow.ts'
import { nextStep } from '../../apps/indexer/src/nextStep.ts'
import type { Random } from '../sim/random.ts'
import type { Simulation } from '../sim/simulation.ts'
import type { Runner, Stage } from './stage.ts'
import type { Trace } from './trace.ts'

export interface CrewOptions {
  stage: Stage
  trace: Trace
  random: Random
  simulation: Simulation
  chain: Chain
  rpcs: Readonly<Record<Market, readonly Rpc[]>>
  build: string
  maxBlocks: number
  /** A block that has fewer after it may be taken back; by default as many as on the real chain. */
  unsettled: bigint | undefined
  parts?: FollowOptions['parts']
  /** Called before every request: the world may go on meanwhile. */
  onRequest: () => void
  onIdle: () => void
  onProgress: (market: Market, progress: Progress) => void
}

/** Starts followers on a stage; each stands at its first point, or moves towards it, when this returns. */
export function createCrew(options: CrewOptions) {
  const {
    stage,
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
  let hired = 0

  /** The same provider, heard by the trace. */
  const heard = (runner: Runner, rpc: Rpc): Rpc => ({
    name: rpc.name,
    async request(method, params) {
      onRequest()
      const asked = `${rpc.name} ${method} ${JSON.stringify(params)}`
      try {
        const answer = await rpc.request(method, params)
        trace.note(runner.name, asked.slice(0, 120), `${asked} ${JSON.stringify(answer)}`)
        return answer
      } catch (error) {
        trace.note(runner.name, `${asked.slice(0, 120)} ${(error as Error).message}`)
        throw error
      }
    },
  })

  /** The same provider, now and then slow to answer the first request of a step. */
  const slow = (runner: Runner, { rpc, client }: Provider): Provider => ({
    client,
    rpc: {
      name: rpc.name,
      async request(method, params) {
        if (method === 'eth_chainId' && random.chance(0.01)) await stage.park(runner, 'request', rpc.name)
        return rpc.request(method, params)
      },
    },
  })
  const stepOf = parts?.nextStep ?? nextStep

  return {
    /** Hires a follower of a market. */
    hire(market: Market): Runner {
      const runner = stage.join(`${market}-${++hired}`, market)
      const providers: Provider[] = rpcs[market].map((rpc) => providerOf(heard(runner, rpc), chain))
      follow({
        market,
        build,
        connect: stage.connect(runner),
        providers,
        chainId: simulation.places.chainId,
        contracts: simulation.places.markets[market],
        startBlock: simulation.startBlock,
        maxBlocks,
        onProgress(progress) {
          if (runner.dead) return
          trace.note(runner.name, spell(progress))
          onProgress(market, progress)
        },
        pause(why) {
          if (why === 'idle' && !runner.dead) onIdle()
          return stage.park(runner, 'pause', why)
        },
        signal: stop.signal,
        parts: {
          ...parts,
          nextStep(ring, cursor, asked) {
            // Who reads ahead has no cursor of its own yet, and goes on writing meanwhile: it would have two points.
            const isAhead = !('digest' in cursor)
            return stepOf(isAhead ? ring : ring.map((each) => slow(runner, each)), cursor, {
              ...asked,
              ...(unsettled && { unsettled }),
            })
          },
        },
      }).then(() => stage.leave(runner))
      return runner
    },
    /** They end at their next point. */
    stop: () => stop.abort(),
  }
}

function spell(progress: Progress): string {
  if ('cursor' in progress)
    return `${progress.kind} ${progress.cursor.number} ${progress.cursor.hash} ${progress.cursor.digest}`
  if (progress.kind === 'halted') return `halted ${progress.reason}`
  if (progress.kind === 'standby') return 'standby'
  // The words of the database client have the port in them, which is another one each time.
  const { code, message } = progress.error as Error & { code?: string }
  return `stalled ${code ?? message}`
}
