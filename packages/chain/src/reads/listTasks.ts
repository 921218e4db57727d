import { taskStates } from '@svc/protocol'
import { taskLensAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { maxUint256 } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PageQuery, TaskPage } from '../reader.ts'
import { parseTaskView } from '../views.ts'

/** The most tasks that one call scans for a state: about half of what the usual gas limit of a node allows. */
const maxScan = 5_000n

/** Lists tasks in state POSTED, newest first, in one call. */
export async function listOpen(
  { client }: Provider,
  { taskLens }: MarketAddresses,
  { limit, before }: PageQuery,
  block: BlockRef,
): Promise<TaskPage> {
  const start = before === undefined ? maxUint256 : before - 1n
  const [views, next] = await client.readContract({
    address: taskLens,
    abi: taskLensAbi,
    functionName: 'tasksIn',
    args: [taskStates.indexOf('POSTED'), start, maxScan, BigInt(limit)],
    blockNumber: block.number,
  })
  return { tasks: existing(views.map(parseTaskView)), next: next === 0n ? null : next + 1n }
}

/** Lists tasks in any state, newest first. */
export async function listRecent(
  provider: Provider,
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
  return { tasks: await readTasks(provider, contracts, numbers, block), next: last > 1n ? last : null }
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

const existing = (tasks: readonly (TaskRecord | null)[]) => tasks.filter((task) => task !== null)
