import { type Market, taskStates } from '@svc/protocol'
import { arbitrationAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import type { TaskRecord } from '@svc/protocol/records'
import { type Address, getAbiItem, type Hex, maxUint256, pad, toEventSelector } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs, ignoreLogRange } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import { type BlockRef, type InboxFacts, maxInboxTasks } from '../reader.ts'
import { readArbitrators } from './agents.ts'
import { maxTaskScan, readTasks } from './listTasks.ts'
import { listByPoster, listByWorker } from './listWalletTasks.ts'
import { readDisputes } from './readDisputes.ts'
import { readTexts } from './readTexts.ts'

/** The most disputes of a market that are searched without an index for an arbitrator that terms name. */
const maxDisputes = 10_000
const chunk = 100
/** The most running disputes that are searched where logs cannot be read. */
const maxRunning = 500

/** Reads the newest tasks of a wallet in each of its roles, with everything that decides what it can do there. */
export async function listInbox(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  wallet: Address,
  isCourt: boolean,
  block: BlockRef,
  startBlock: bigint,
): Promise<InboxFacts> {
  const query = { limit: maxInboxTasks }
  const [posted, worked, [arbitrator]] = await Promise.all([
    listByPoster(provider, market, contracts, wallet, query, block, startBlock),
    listByWorker(provider, market, contracts, wallet, query, block, startBlock),
    readArbitrators(provider, contracts, [wallet], block),
  ])
  if (!arbitrator) throw new Error(`${wallet} was not read.`)
  const cases = await listCases(provider, contracts, wallet, isCourt, block, startBlock)
  const known = new Map([...posted.tasks, ...worked.tasks].map((task) => [task.number, task]))
  const others = cases.numbers.filter((number) => !known.has(number))
  const tasks = [
    ...known.values(),
    ...(await readChunks(others, (part) => readTasks(provider, contracts, part, block))),
  ]
  const numbers = tasks.map(({ number }) => number)
  const disputes = new Map(
    (await readChunks(numbers, (part) => readDisputes(provider, contracts, part, block))).map((each) => [
      each.number,
      each,
    ]),
  )
  const texts = await readTexts(provider, contracts, tasks)
  return {
    tasks: tasks
      .toSorted((a, b) => (a.number < b.number ? 1 : -1))
      .map((task) => ({
        task: toRecord(task),
        dispute: disputes.get(task.number) ?? null,
        text: texts.get(task.number) ?? null,
      })),
    arbitrator,
    truncated: posted.next !== null || worked.next !== null || cases.truncated,
  }
}

/** Lists the tasks with a dispute in which the wallet is or was a judge, could have become one, or decides as the final court. */
async function listCases(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  isCourt: boolean,
  block: BlockRef,
  startBlock: bigint,
): Promise<{ numbers: bigint[]; truncated: boolean }> {
  const list = async (topics: (Hex | null)[]) => {
    const filter = { address: contracts.arbitration, topics }
    const logs = await getLogs(provider.rpc, filter, { from: startBlock, to: block.number })
    return logs.map(({ topics }) => BigInt(topics[1] ?? 0)).reverse()
  }
  const found = await Promise.all([
    list([seatedTopic, null, pad(wallet)]),
    list([proposedTopic, null, null, pad(wallet)]),
    isCourt ? list([calledTopic]) : [],
    list([openedTopic]),
  ]).catch(ignoreLogRange)
  if (!found) return listRunningCases(provider, contracts, wallet, isCourt, block)
  const [seated, proposed, called, opened] = found
  if (opened.length > maxDisputes) {
    throw new ChainReadError(`The market has more than ${maxDisputes} disputes. Searching them requires the index.`, {
      retryable: false,
    })
  }
  const disputes = await readChunks([...new Set(opened)], (part) => readDisputes(provider, contracts, part, block))
  const ofWallet = new Set(disputes.filter(({ named }) => named === wallet).map(({ number }) => number))
  const named = opened.filter((number) => ofWallet.has(number))
  const lists = [seated, proposed, called, named]
  return {
    numbers: [...new Set(lists.flatMap((numbers) => numbers.slice(0, maxInboxTasks)))],
    truncated: lists.some((numbers) => numbers.length > maxInboxTasks),
  }
}

/** Lists the cases among the newest disputes that are running now, without logs. Older and closed ones are left out. */
async function listRunningCases(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  isCourt: boolean,
  block: BlockRef,
): Promise<{ numbers: bigint[]; truncated: boolean }> {
  const [disputed] = await provider.client.readContract({
    address: contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'findTasks',
    args: [taskStates.indexOf('DISPUTED'), maxUint256, maxTaskScan, BigInt(maxRunning)],
    blockNumber: block.number,
  })
  const disputes = await readChunks(disputed, (part) => readDisputes(provider, contracts, part, block))
  const own = disputes.filter(
    ({ judge, named, posterProposal, workerProposal, phase }) =>
      [judge, named, posterProposal, workerProposal].includes(wallet) || (isCourt && phase === 'COURT'),
  )
  return { numbers: own.map(({ number }) => number).slice(0, maxInboxTasks), truncated: true }
}

/** Until when and by whom a task can be claimed is not part of an inbox. */
function toRecord(task: TaskRecord | TaskSnapshot): TaskRecord {
  if (!('claimableUntil' in task)) return task
  const { claimableUntil: _, allowedWorker: __, ...record } = task
  return record
}

async function readChunks<T>(
  numbers: readonly bigint[],
  read: (part: readonly bigint[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = []
  for (let start = 0; start < numbers.length; start += chunk) {
    found.push(...(await read(numbers.slice(start, start + chunk))))
  }
  return found
}

const select = (name: 'JudgeSeated' | 'ArbitratorProposed' | 'CourtCalled' | 'CaseOpened') =>
  toEventSelector(getAbiItem({ abi: arbitrationAbi, name }))
const [seatedTopic, proposedTopic] = [select('JudgeSeated'), select('ArbitratorProposed')]
const [calledTopic, openedTopic] = [select('CourtCalled'), select('CaseOpened')]
