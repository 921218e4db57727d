import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BenchChain } from './chain.ts'

/** What the simulated chain holds. */
export interface SimulatedOptions {
  seed: number
  /** Blocks with events, and how many events each has at least. */
  blocks: number
  eventsPerBlock: number
  /** Blocks without events after them. */
  quiet: number
  /** Blocks that wait, after all others, until they are released. */
  held: number
}

/** What the process of the chain says. */
export type SimulatedMessage =
  | ({ kind: 'ready' } & Pick<BenchChain, 'urls' | 'deployments' | 'head' | 'events'>)
  | { kind: 'released'; number: number; at: number }

export interface SimulatedChain extends BenchChain {
  /** Releases one held block after the other; settles with the last. */
  release: (everyMs: number, onBlock: (number: number, at: number) => void) => Promise<void>
}

/** A simulated chain in a process of its own, so that it takes no time from whoever reads it. */
export async function startSimulated(options: SimulatedOptions): Promise<SimulatedChain> {
  const child = fork(fileURLToPath(new URL('simulatedChild.ts', import.meta.url)), [JSON.stringify(options)])
  const messages = on(child, 'message', { close: ['exit'] })
  const next = async <K extends SimulatedMessage['kind']>(kind: K) => {
    const { value } = await messages.next()
    const [message] = (value ?? []) as SimulatedMessage[]
    if (message?.kind !== kind) throw new Error(`The simulated chain ended, or said something else than ${kind}.`)
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
