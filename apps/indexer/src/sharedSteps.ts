import type { BlockHeader } from '@svc/index'
import type { Address } from 'viem'
import { decideNextStep, type Step } from './nextStep.ts'

type NextStep = typeof decideNextStep
type Append = Extract<Step, { kind: 'append' }>
type Position = Parameters<NextStep>[1]

/** The most logs and steps that are kept for a market that is slower than the others. Beyond that it reads for itself. */
const maxLogs = 10_000
const maxSteps = 64

interface Run extends Append {
  from: Position
  /** Readers that still have to take these blocks. */
  waiting: Set<number>
}

/**
 * Reads every block once for several markets. Returns one function per list of addresses, which decides the next step of that
 * market like `decideNextStep`. The first market to reach a block reads it with the addresses of all; the others get the
 * same blocks, with their own logs. Rollbacks and halts depend on the index of one market, so each decides them alone.
 */
export function shareSteps(addresses: readonly (readonly Address[])[], decide: NextStep = decideNextStep): NextStep[] {
  const all = addresses.flat()
  const pending = new Map<string, Promise<Step>>()
  let runs: Run[] = []

  return addresses.map((marketAddresses, reader): NextStep => {
    const mine = new Set(marketAddresses.map((address) => address.toLowerCase()))
    return async (providers, cursor, options) => {
      // What was shared before an audit may be what it found wrong.
      if (options.mustProve instanceof Set && options.mustProve.size > 0) return decide(providers, cursor, options)
      const shared = findRun(cursor)
      if (shared) return take(shared, cursor)
      const reading = pending.get(cursor.hash)
      if (reading) {
        const step = await reading
        if (step.kind === 'wait') return step
        const run = step.kind === 'append' && findRun(cursor)
        if (run) return take(run, cursor)
        return select(await decide(providers, cursor, { ...options, addresses: all }))
      }
      const started = decide(providers, cursor, { ...options, addresses: all }).then((step) => {
        if (step.kind === 'append') keep(step, cursor)
        // The other markets find the fork themselves, on the chain as it is now.
        else if (step.kind !== 'wait') runs = []
        return step
      })
      pending.set(cursor.hash, started)
      try {
        return select(await started)
      } finally {
        pending.delete(cursor.hash)
      }
    }

    function keep(step: Append, from: Position): void {
      const waiting = new Set(addresses.keys())
      waiting.delete(reader)
      runs = [...runs, { ...step, from, waiting }].filter((run) => run.waiting.size > 0)
      let logs = runs.reduce((sum, run) => sum + run.logs.length, 0)
      while (runs.length > maxSteps || logs > maxLogs) logs -= runs.shift()?.logs.length ?? 0
    }

    /** Returns the blocks of a run after the cursor. */
    function take(run: Run, cursor: Position): Step {
      run.waiting.delete(reader)
      runs = runs.filter(({ waiting }) => waiting.size > 0)
      const { from: _, waiting: __, ...step } = run
      const after = <T>(list: readonly T[], getNumber: (item: T) => bigint) =>
        list.filter((item) => getNumber(item) > cursor.number)
      return select({
        ...step,
        headers: after(step.headers, ({ number }) => number),
        logs: after(step.logs, ({ blockNumber }) => blockNumber),
      })
    }

    function select(step: Step): Step {
      if (step.kind !== 'append') return step
      return { ...step, logs: step.logs.filter(({ address }) => mine.has(address.toLowerCase())) }
    }
  })

  /** Finds blocks that were read before and that follow this one. */
  function findRun({ number, hash }: Position): Run | undefined {
    const isSame = (block: Pick<BlockHeader, 'number' | 'hash'>) => block.number === number && block.hash === hash
    return runs.find(({ from, headers }) => isSame(from) || headers.slice(0, -1).some(isSame))
  }
}
