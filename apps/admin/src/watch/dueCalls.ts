import { type BlockRef, type Deployments, type Provider, readDisputes, readTasks, taskPageSize } from '@svc/chain'
import { type Market, terminalStates } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { buildTaskContext } from '@svc/protocol/actions'
import { listDueSteps } from '@svc/protocol/internal/steps'

/** The calls of a market that anyone may make and nobody has made yet, as far as its tasks were read. */
export interface DueCalls {
  count: number
  /** The one that has been due for longest: its task, and since when, in unix seconds. */
  oldest: { task: bigint; since: number } | null
}

/** Tasks of a market that are read at one look. */
const maxTasks = 5 * taskPageSize
/** Running tasks of a market that are remembered. */
const maxLive = 100_000

const ended = new Set<string>(terminalStates)

/**
 * Creates a reader of the calls that are due in a market. Each look reads some of its tasks: those with a due call, then new ones,
 * then those that were read longest ago. A task that has ended is never read again.
 */
export function createDueReader(market: Market, { markets, shared }: Deployments) {
  const contracts = { ...shared, ...markets[market] }
  /** The running tasks, and since when a call of theirs has been due; the one read last is at the end. */
  const live = new Map<bigint, number | null>()
  let nextNew = 1n

  return async (provider: Provider, block: BlockRef): Promise<DueCalls> => {
    const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
    const count = await provider.client.readContract({
      ...registry,
      functionName: 'taskCount',
      blockNumber: block.number,
    })
    const known = [...live]
    const due = known.flatMap(([number, since]) => (since === null ? [] : [number])).slice(0, maxTasks)
    const unseen = Math.min(Number(count - nextNew) + 1, maxTasks - due.length, maxLive - live.size)
    const fresh = Array.from({ length: Math.max(0, unseen) }, (_, at) => nextNew + BigInt(at))
    const others = known.flatMap(([number, since]) => (since === null ? [number] : []))
    const numbers = [...due, ...fresh, ...others].slice(0, maxTasks)
    for (let at = 0; at < numbers.length; at += taskPageSize)
      await readPage(provider, numbers.slice(at, at + taskPageSize), block)
    nextNew += BigInt(fresh.length)
    const found = [...live].flatMap(([task, since]) => (since === null ? [] : [{ task, since }]))
    const oldest = found.toSorted((a, b) => a.since - b.since)[0] ?? null
    return { count: found.length, oldest }
  }

  async function readPage(provider: Provider, numbers: readonly bigint[], block: BlockRef): Promise<void> {
    const [tasks, disputes] = await Promise.all([
      readTasks(provider, contracts, numbers, block),
      readDisputes(provider, contracts, numbers, block),
    ])
    const cases = new Map(disputes.map((dispute) => [dispute.number, dispute]))
    for (const task of tasks) {
      live.delete(task.number)
      if (ended.has(task.state)) continue
      const context = buildTaskContext({ market, number: task.number }, task, cases.get(task.number) ?? null)
      const since = listDueSteps(context, block.timestamp).map((step) => step.since ?? block.timestamp)
      live.set(task.number, since.length > 0 ? Math.min(...since) : null)
    }
  }
}
