import type { Market } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import type { MarketEvent } from '@svc/protocol/fold'
import { numberToHex } from 'viem'
import { getLogs, ignoreLogRange } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, TaskDetail, TaskSummary } from '../reader.ts'
import { parseDisputeView } from '../views.ts'
import { readClaimability } from './claimability.ts'
import { decodeTimelineEntry, emitters } from './entries.ts'
import { readTasks } from './listTasks.ts'
import { findPostedTerms } from './readPostedTerms.ts'
import { groupBlocks, matchesState, maxHintedRanges, type TimelineHint } from './timeline.ts'

/** Blocks that a range spans at most, for providers without a limit: they read all of it. */
const maxRangeBlocks = 1_000

/** Contracts whose events have the task id as the first topic: all but the staking vault. */
const taskContracts = emitters.filter((name) => name !== 'stakingVault')

/**
 * Reads a task with its terms, text, dispute and timeline; null if it does not exist. With a hint, the timeline of a task of any
 * age takes a few calls. Every entry is read from the chain, and a hint that leaves out a change of state is not followed.
 */
export async function readTaskDetail(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  number: bigint,
  block: BlockRef,
  hint: TimelineHint | null = null,
): Promise<{ detail: TaskDetail | null }> {
  const found = await readPosting(provider, market, contracts, number, block)
  if (!found) return { detail: null }
  const { summary, postedBlock, posting } = found
  const range = { from: postedBlock + 1n, to: block.number }
  const hinted = hint && (await readHinted(provider, contracts, number, range, hint))
  const isUsable = hinted && matchesState(summary, listEvents([...posting, ...hinted]))
  const later = isUsable ? hinted : await readEntries(provider, contracts, number, range)
  return { detail: { ...summary, timeline: [...posting, ...later].map(({ entry }) => entry) } }
}

/** Reads what a hint points to, and what happened after it. Null if that takes too many calls, which a real one does not. */
async function readHinted(
  provider: Provider,
  contracts: MarketAddresses,
  number: bigint,
  { from, to }: { from: bigint; to: bigint },
  { blocks, upTo }: TimelineHint,
) {
  const inside = blocks.filter((each) => each >= from && each <= to && each <= upTo)
  const ranges = groupBlocks(inside, Math.min(provider.rpc.logRange?.size() ?? 1, maxRangeBlocks))
  if (ranges.length > maxHintedRanges) return null
  const entries = []
  for (const range of ranges) entries.push(...(await readEntries(provider, contracts, number, range)))
  const next = upTo < from ? from : upTo + 1n
  if (next > to) return entries
  const rest = await readEntries(provider, contracts, number, { from: next, to }).catch(ignoreLogRange)
  return rest && [...entries, ...rest]
}

const listEvents = (entries: readonly { event: MarketEvent }[]) => entries.map(({ event }) => event)

/** Reads a task with its terms, text and dispute; null if it does not exist. Logs are read of the block of its posting only. */
export async function readTaskSummary(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  number: bigint,
  block: BlockRef,
): Promise<{ detail: TaskSummary | null }> {
  const found = await readPosting(provider, market, contracts, number, block)
  return { detail: found?.summary ?? null }
}

/** Reads a task, and its events in the block of its posting, which has its terms and its text. */
async function readPosting(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  number: bigint,
  block: BlockRef,
) {
  const found = await readTasks(provider, contracts, [number], block)
  const [task] = await readClaimability(provider, market, contracts, found, block)
  if (!task) return null
  const dispute = await provider.client.readContract({
    address: contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'disputeOf',
    args: [number],
    blockNumber: block.number,
  })
  const postedBlock = BigInt(task.postedBlock)
  const posting = await readEntries(provider, contracts, number, { from: postedBlock, to: postedBlock })
  const events = listEvents(posting)
  const published = events.find((event) => event.name === 'TaskTextPublished')
  const summary: TaskSummary = {
    task,
    terms: findPostedTerms(events, provider, number),
    text: task.scope === 'OPEN' ? (published?.args.text ?? null) : null,
    dispute: parseDisputeView(number, dispute),
  }
  return { summary, postedBlock, posting }
}

async function readEntries(
  provider: Provider,
  contracts: MarketAddresses,
  number: bigint,
  range: { from: bigint; to: bigint },
) {
  const filter = {
    address: taskContracts.map((name) => contracts[name]),
    topics: [null, numberToHex(number, { size: 32 })],
  }
  const logs = await getLogs(provider.rpc, filter, range)
  return Promise.all(logs.map((log) => decodeTimelineEntry(provider, log, contracts)))
}
