import { taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, type Hex, pad, toEventSelector } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PageQuery, TaskPage } from '../reader.ts'
import { readTasks } from './listTasks.ts'

/** More tasks than this of one wallet are for an index to list. */
const maxTasksOfWallet = 10_000
const chunk = 100

/** Tasks that a wallet posted or had created, newest first. */
export async function listByPoster(
  provider: Provider,
  contracts: MarketAddresses,
  poster: Address,
  query: PageQuery,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskPage> {
  const numbers = await numbersOf(provider, contracts, [[[posted, created], null, pad(poster)]], block, startBlock)
  return pageOf(provider, contracts, numbers, query, block, () => true)
}

/** Tasks whose worker a wallet is, newest first: those it once claimed and left are not. */
export async function listByWorker(
  provider: Provider,
  contracts: MarketAddresses,
  worker: Address,
  query: PageQuery,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskPage> {
  const numbers = await claimsOf(provider, contracts, worker, block, startBlock)
  return pageOf(provider, contracts, numbers, query, block, (task) => task.worker === worker)
}

/** Every task a wallet posted or works on. */
export async function tasksOf(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskRecord[]> {
  const own = await numbersOf(provider, contracts, [[[posted, created], null, pad(wallet)]], block, startBlock)
  const numbers = new Set([...own, ...(await claimsOf(provider, contracts, wallet, block, startBlock))])
  const tasks: TaskRecord[] = []
  for (const part of chunks([...numbers])) tasks.push(...(await readTasks(provider, contracts, part, block)))
  return tasks
}

function claimsOf(
  provider: Provider,
  contracts: MarketAddresses,
  worker: Address,
  block: BlockRef,
  startBlock: bigint,
) {
  const filters = [
    [claimed, null, pad(worker)],
    [created, null, null, pad(worker)],
  ]
  return numbersOf(provider, contracts, filters, block, startBlock)
}

/** The numbers of the tasks in these logs of the registry, each once, newest first. */
async function numbersOf(
  { rpc }: Provider,
  { taskRegistry }: MarketAddresses,
  filters: readonly (Hex | readonly Hex[] | null)[][],
  block: BlockRef,
  startBlock: bigint,
): Promise<bigint[]> {
  const numbers = new Set<bigint>()
  for (const topics of filters) {
    const logs = await getLogs(rpc, { address: taskRegistry, topics }, { from: startBlock, to: block.number })
    for (const { topics } of logs) numbers.add(BigInt(topics[1] ?? 0))
  }
  if (numbers.size > maxTasksOfWallet) {
    throw new ChainReadError(`A wallet with more than ${maxTasksOfWallet} tasks is for an index to list.`, {
      retryable: false,
    })
  }
  return [...numbers].sort((a, b) => (a < b ? 1 : -1))
}

async function pageOf(
  provider: Provider,
  contracts: MarketAddresses,
  numbers: readonly bigint[],
  { limit, before }: PageQuery,
  block: BlockRef,
  fits: (task: TaskRecord) => boolean,
): Promise<TaskPage> {
  const rest = numbers.filter((number) => before === undefined || number < before)
  const found: TaskRecord[] = []
  for (const part of chunks(rest)) {
    found.push(...(await readTasks(provider, contracts, part, block)).filter(fits))
    if (found.length > limit) break
  }
  const tasks = found.slice(0, limit)
  return { tasks, next: found.length > limit ? (tasks.at(-1)?.number ?? null) : null }
}

function* chunks(numbers: readonly bigint[]): Generator<readonly bigint[]> {
  for (let start = 0; start < numbers.length; start += chunk) yield numbers.slice(start, start + chunk)
}

const selector = (name: 'TaskPosted' | 'TaskCreated' | 'TaskClaimed') => {
  const event = taskRegistryAbi.find((entry) => entry.type === 'event' && entry.name === name)
  if (event?.type !== 'event') throw new Error(`The registry has no event ${name}.`)
  return toEventSelector(event)
}
const [posted, created, claimed] = [selector('TaskPosted'), selector('TaskCreated'), selector('TaskClaimed')]
