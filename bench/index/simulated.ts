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
}

/** Messages from the chain's process. */
export type SimulatedMessage =
  | ({ kind: 'ready' } & Pick<BenchChain, 'urls' | 'deployments' | 'head' | 'events'>)
  | { kind: 'released'; number: number; at: number }

export interface SimulatedChain extends BenchChain {
  /** Releases the held blocks one after another. Resolves with the last one. */
  release: (everyMs: number, onBlock: (number: number, at: number) => void) => Promise<void>
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
      child.send({ everyMs })
      for (let left = options.held; left > 0; left--) {
        const { number, at } = await next('released')
        onBlock(number, at)
      }
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
