import type { Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, type Hex, pad, toEventSelector } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs, ignoreLogRange } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PageQuery, TaskPage } from '../reader.ts'
import { readClaimability } from './claimability.ts'
import { readTasks } from './listTasks.ts'

/** The most tasks of one wallet that are listed without an index. */
const maxTasksOfWallet = 10_000
const chunk = 100
/** The most tasks that one read looks at where logs cannot be read. */
const maxScan = 2_000

/** Lists the tasks of a poster, open and private, newest first. */
export async function listByPoster(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  poster: Address,
  query: PageQuery,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskPage> {
  const isOwn = (task: TaskRecord) => task.poster === poster
  const filters = [[[posted, created], null, pad(poster)]]
  const numbers = await listTaskNumbers(provider, contracts, filters, block, startBlock)
  return readTaskPage(provider, market, contracts, numbers, query, block, isOwn)
}

/** Lists the tasks that a wallet is the worker of, newest first, without those it claimed and left. */
export async function listByWorker(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  worker: Address,
  query: PageQuery,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskPage> {
  const numbers = await listClaimedNumbers(provider, contracts, worker, block, startBlock)
  return readTaskPage(provider, market, contracts, numbers, query, block, (task) => task.worker === worker)
}

/** Reads every task that a wallet posted or ever claimed. */
export async function readWalletTasks(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  block: BlockRef,
  startBlock: bigint,
): Promise<TaskRecord[]> {
  const own = await listTaskNumbers(provider, contracts, [[[posted, created], null, pad(wallet)]], block, startBlock)
  const claimed = await listClaimedNumbers(provider, contracts, wallet, block, startBlock)
  const numbers = own && claimed ? [...new Set([...own, ...claimed])] : await listFewNumbers(provider, contracts, block)
  const tasks: TaskRecord[] = []
  for (const part of chunks(numbers)) tasks.push(...(await readTasks(provider, contracts, part, block)))
  return tasks
}

/** Lists the numbers of all tasks, if they are few enough to look at each. */
async function listFewNumbers(provider: Provider, contracts: MarketAddresses, block: BlockRef): Promise<bigint[]> {
  const count = await readTaskCount(provider, contracts, block)
  if (count <= maxScan) return listNumbersFrom(count)
  throw new ChainReadError(
    `The provider returns logs of few blocks per call, and the market has ${count} tasks, too many to look at each. ` +
      'Use the index, or a provider that allows wider ranges.',
    { retryable: false },
  )
}

function listClaimedNumbers(
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
  return listTaskNumbers(provider, contracts, filters, block, startBlock)
}

async function readTaskCount(
  { client }: Provider,
  { taskRegistry }: MarketAddresses,
  block: BlockRef,
): Promise<bigint> {
  return client.readContract({
    address: taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'taskCount',
    blockNumber: block.number,
  })
}

/** Lists task numbers down from this one, at most `maxScan`. */
const listNumbersFrom = (first: bigint): bigint[] =>
  Array.from({ length: Math.min(maxScan, Number(first)) }, (_, index) => first - BigInt(index))

/**
 * Lists the task numbers in logs of the registry that match these filters, each once, newest first; null if the provider's
 * ranges are too narrow for the age of the market.
 */
async function listTaskNumbers(
  { rpc }: Provider,
  { taskRegistry }: MarketAddresses,
  filters: readonly (Hex | readonly Hex[] | null)[][],
  block: BlockRef,
  startBlock: bigint,
): Promise<bigint[] | null> {
  const numbers = new Set<bigint>()
  for (const topics of filters) {
    const range = { from: startBlock, to: block.number }
    const logs = await getLogs(rpc, { address: taskRegistry, topics }, range).catch(ignoreLogRange)
    if (!logs) return null
    for (const { topics } of logs) numbers.add(BigInt(topics[1] ?? 0))
  }
  if (numbers.size > maxTasksOfWallet) {
    throw new ChainReadError(`The wallet has more than ${maxTasksOfWallet} tasks. Listing them requires the index.`, {
      retryable: false,
    })
  }
  return [...numbers].sort((a, b) => (a < b ? 1 : -1))
}

async function readTaskPage(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  numbers: readonly bigint[] | null,
  { limit, before }: PageQuery,
  block: BlockRef,
  fits: (task: TaskRecord) => boolean,
): Promise<TaskPage> {
  const listed = numbers?.filter((number) => before === undefined || number < before)
  // Without logs every task is looked at, so the page ends after some of them, full or not.
  const some = listed ?? (await listScanned())
  const found: TaskRecord[] = []
  for (const part of chunks(some)) {
    found.push(...(await readTasks(provider, contracts, part, block)).filter(fits))
    if (found.length > limit) break
  }
  const tasks = await readClaimability(provider, market, contracts, found.slice(0, limit), block)
  const last = listed ? 1n : (some.at(-1) ?? 1n)
  return { tasks, next: found.length > limit ? (tasks.at(-1)?.number ?? null) : last > 1n ? last : null }

  async function listScanned(): Promise<bigint[]> {
    const count = await readTaskCount(provider, contracts, block)
    return listNumbersFrom(before === undefined || before > count ? count : before - 1n)
  }
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
