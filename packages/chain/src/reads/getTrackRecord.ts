import { taskRegistryAbi } from '@svc/protocol/abis'
import { compareEvents, type EventKind, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import { computeTrackRecord, trackRecordEvents } from '@svc/protocol/internal/fold'
import { type Address, getAbiItem, type Hex, numberToHex, pad, toEventSelector } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs, type RawLog } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import { type BlockRef, maxRecordTasks, type WalletTrackRecord } from '../reader.ts'
import { readAgents } from './agents.ts'
import { decodeTimelineEntry } from './entries.ts'

/** The most posts and claims of one wallet that are looked at without an index. */
const maxLogs = 10_000
/** Task numbers per filter. Providers limit the size of a filter. */
const chunk = 100

/** Reads the track record of a wallet: its counters, and what the events of its newest tasks say. */
export async function getTrackRecord(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  block: BlockRef,
  startBlock: bigint,
): Promise<WalletTrackRecord> {
  const range = { from: startBlock, to: block.number }
  const list = async (...filters: readonly (Hex | readonly Hex[] | null)[][]) => {
    const found: RawLog[] = []
    for (const topics of filters)
      found.push(...(await getLogs(provider.rpc, { address: contracts.taskRegistry, topics }, range)))
    if (found.length > maxLogs) throw tooManyTasks()
    return found.toSorted(compareLogs)
  }
  const posts = await list([[posted, created], null, pad(wallet)])
  const taken = await list([claimed, null, pad(wallet)], [created, null, null, pad(wallet)])
  const [agent] = await readAgents(provider, contracts, [wallet], block)
  if (!agent) throw new Error(`${wallet} was not read.`)
  const newest = [...posts.slice(-maxRecordTasks), ...taken.slice(-maxRecordTasks)]
  const numbers = [...new Set(newest.map(readTaskNumber))]
  const events: MarketEvent[] = []
  for (let start = 0; start < numbers.length; start += chunk) {
    const words = numbers.slice(start, start + chunk).map((number) => numberToHex(number, { size: 32 }))
    const filter = { address: recordContracts.map((name) => contracts[name]), topics: [recordTopics, words] }
    const logs = await getLogs(provider.rpc, filter, range)
    const entries = await Promise.all(logs.map((log) => decodeTimelineEntry(provider, log, contracts)))
    events.push(...entries.map(({ event }) => event))
  }
  const [first] = [...posts.slice(0, 1), ...taken.slice(0, 1)].toSorted(compareLogs)
  return {
    agent,
    record: computeTrackRecord(wallet, events.toSorted(compareEvents)),
    firstSeen: first
      ? {
          task: readTaskNumber(first),
          timestamp: (await decodeTimelineEntry(provider, first, contracts)).entry.timestamp,
        }
      : null,
    truncated: posts.length > maxRecordTasks || taken.length > maxRecordTasks,
  }
}

const tooManyTasks = () =>
  new ChainReadError(`The wallet has posted or taken more than ${maxLogs} tasks. Its record requires the index.`, {
    retryable: false,
  })

const readTaskNumber = ({ topics }: RawLog) => BigInt(topics[1] ?? 0)

const compareLogs = (a: RawLog, b: RawLog) =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1

const select = (name: 'TaskPosted' | 'TaskCreated' | 'TaskClaimed') =>
  toEventSelector(getAbiItem({ abi: taskRegistryAbi, name }))
const [posted, created, claimed] = [select('TaskPosted'), select('TaskCreated'), select('TaskClaimed')]

const recordContracts = ['taskRegistry', 'arbitration', 'reputationRegistry'] as const

/** The selectors of the events that a track record uses. */
export const recordTopics: readonly Hex[] = [...new Set(trackRecordEvents.map(selectKind))]

function selectKind(kind: EventKind): Hex {
  const [contract, name] = kind.split('.')
  const found = Object.entries(marketAbis)
    .flatMap(([key, abi]) => (key === contract ? [...abi] : []))
    .find((item) => item.type === 'event' && item.name === name)
  if (found?.type !== 'event') throw new Error(`There is no event ${kind}.`)
  return toEventSelector(found)
}
