import { type Market, taskStates } from '@svc/protocol'
import { taskLensAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import type { TaskRecord } from '@svc/protocol/records'
import { maxUint256 } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PageQuery, TaskPage } from '../reader.ts'
import { parseTaskView } from '../views.ts'
import { readClaimability } from './claimability.ts'

/** The most tasks that one call scans for a state: about half of what the usual gas limit of a node allows. */
export const maxTaskScan = 5_000n

/** The most calls for a page of open tasks, and the least tasks that one asks for. Many posted tasks can be closed. */
const [maxOpenCalls, minOpenTasks] = [4, 50]

/** Lists tasks that can be claimed, newest first. The page can be short although there are more. */
export async function listOpen(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  { limit, before }: PageQuery,
  block: BlockRef,
): Promise<TaskPage> {
  const found: TaskSnapshot[] = []
  let next = before ?? null
  for (let calls = 0; calls < maxOpenCalls && found.length <= limit; calls++) {
    const posted = await listPosted(provider, contracts, { limit: Math.max(limit, minOpenTasks), before: next }, block)
    const tasks = await readClaimability(provider, market, contracts, posted.tasks, block)
    found.push(...tasks.filter(({ claimableUntil }) => claimableUntil > 0))
    next = posted.next
    if (next === null) break
  }
  const tasks = found.slice(0, limit)
  return { tasks, next: found.length > limit ? (tasks.at(-1)?.number ?? null) : next }
}

async function listPosted(
  { client }: Provider,
  { taskLens }: MarketAddresses,
  { limit, before }: { limit: number; before: bigint | null },
  block: BlockRef,
): Promise<{ tasks: TaskRecord[]; next: bigint | null }> {
  const start = before === null ? maxUint256 : before - 1n
  const [views, next] = await client.readContract({
    address: taskLens,
    abi: taskLensAbi,
    functionName: 'tasksIn',
    args: [taskStates.indexOf('POSTED'), start, maxTaskScan, BigInt(limit)],
    blockNumber: block.number,
  })
  return { tasks: existing(views.map(parseTaskView)), next: next === 0n ? null : next + 1n }
}

/** Lists tasks in any state, newest first. */
export async function listRecent(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  { limit, before }: PageQuery,
  block: BlockRef,
): Promise<TaskPage> {
  const count = await provider.client.readContract({
    address: contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'taskCount',
    blockNumber: block.number,
  })
  const first = before === undefined || before > count ? count : before - 1n
  const size = Math.min(limit, Number(first))
  const numbers = Array.from({ length: size }, (_, index) => first - BigInt(index))
  const last = numbers.at(-1) ?? 1n
  const tasks = await readTasks(provider, contracts, numbers, block)
  return {
    tasks: await readClaimability(provider, market, contracts, tasks, block),
    next: last > 1n ? last : null,
  }
}

/** Reads these tasks at a block, in this order, without those that do not exist. */
export async function readTasks(
  { client }: Provider,
  { taskLens }: Pick<MarketAddresses, 'taskLens'>,
  numbers: readonly bigint[],
  block: Pick<BlockRef, 'number'>,
): Promise<TaskRecord[]> {
  if (numbers.length === 0) return []
  const views = await client.readContract({
    address: taskLens,
    abi: taskLensAbi,
    functionName: 'tasksOf',
    args: [numbers],
    blockNumber: block.number,
  })
  return existing(views.map(parseTaskView))
}

/** Reads these tasks with how long they can be claimed, in this order, without those that do not exist. */
export const readTaskSnapshots = async (
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  numbers: readonly bigint[],
  block: BlockRef,
): Promise<TaskSnapshot[]> =>
  readClaimability(provider, market, contracts, await readTasks(provider, contracts, numbers, block), block)

const existing = (tasks: readonly (TaskRecord | null)[]) => tasks.filter((task) => task !== null)
