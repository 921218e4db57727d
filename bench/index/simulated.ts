import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BenchChain } from './chain.ts'

/** The content of the simulated chain. */
export interface SimulatedOptions {
  seed: number
  /** Blocks with events, and the least number of events in each. */
  blocks: number
  eventsPerBlock: number
  /** Blocks without events after them. */
  quiet: number
  /** Blocks at the end that are held back until they are released. */
  held: number
  /** One block of this many has events; then none is held back. */
  spread?: number | undefined
  /** The share of blocks without events, in place of `eventsPerBlock`. */
  emptyShare?: number
  /** Every bloom filter matches everything. */
  fullBlooms?: boolean
  /** One provider for each, with this latency in milliseconds. By default two that answer at once. */
  latencies?: readonly number[]
  /** The most blocks per `eth_getLogs`. */
  maxRange?: number
}

/** How often each method was called at one provider; each call of a batch counts. Pushed heads are `newHeads`. */
export type CallCounts = Record<string, number>

/** Messages from the chain's process. */
export type SimulatedMessage =
  | ({ kind: 'ready' } & Pick<SimulatedChain, 'urls' | 'socketUrls' | 'deployments' | 'head' | 'events'>)
  | { kind: 'released'; number: number; at: number }
  | { kind: 'calls'; calls: CallCounts[] }

/** Messages to the chain's process. */
export type SimulatedRequest = { kind: 'release'; everyMs: number } | { kind: 'count' }

export interface SimulatedChain extends BenchChain {
  /** Where each provider pushes heads. */
  socketUrls: readonly string[]
  /** Releases the held blocks one after another. Resolves with the last one. */
  release: (everyMs: number, onBlock: (number: number, at: number) => void) => Promise<void>
  /** Counts the calls so far, for each provider. */
  countCalls: () => Promise<CallCounts[]>
}

/** Starts a simulated chain in its own process, so that it takes no CPU time from its readers. */
export async function startSimulatedChain(options: SimulatedOptions): Promise<SimulatedChain> {
  const child = fork(fileURLToPath(new URL('simulatedChild.ts', import.meta.url)), [JSON.stringify(options)])
  const messages = on(child, 'message', { close: ['exit'] })
  const next = async <K extends SimulatedMessage['kind']>(kind: K) => {
    const { value } = await messages.next()
    const [message] = (value ?? []) as SimulatedMessage[]
    if (message?.kind !== kind) throw new Error(`The simulated chain ended or sent another message than "${kind}".`)
    return message as Extract<SimulatedMessage, { kind: K }>
  }
  const ready = await next('ready')
  return {
    ...ready,
    async release(everyMs, onBlock) {
      child.send({ kind: 'release', everyMs } satisfies SimulatedRequest)
      for (let left = options.held; left > 0; left--) {
        const { number, at } = await next('released')
        onBlock(number, at)
      }
    },
    async countCalls() {
      child.send({ kind: 'count' } satisfies SimulatedRequest)
      return (await next('calls')).calls
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
