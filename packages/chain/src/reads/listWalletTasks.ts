import type { Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, type Hex, pad, toEventSelector } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, PageQuery, TaskPage } from '../reader.ts'
import { readClaimability } from './claimability.ts'
import { readTasks } from './listTasks.ts'

/** The most tasks of one wallet that are listed without an index. */
const maxTasksOfWallet = 10_000
const chunk = 100

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
  const numbers = await listTaskNumbers(
    provider,
    contracts,
    [[[posted, created], null, pad(poster)]],
    block,
    startBlock,
  )
  return readTaskPage(provider, market, contracts, numbers, query, block, () => true)
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
  const numbers = new Set([...own, ...(await listClaimedNumbers(provider, contracts, wallet, block, startBlock))])
  const tasks: TaskRecord[] = []
  for (const part of chunks([...numbers])) tasks.push(...(await readTasks(provider, contracts, part, block)))
  return tasks
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

/** Lists the task numbers in logs of the registry that match these filters, each once, newest first. */
async function listTaskNumbers(
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
  const tasks = await readClaimability(provider, market, contracts, found.slice(0, limit), block)
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
