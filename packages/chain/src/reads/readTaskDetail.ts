import type { Market } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import { numberToHex } from 'viem'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, TaskDetail } from '../reader.ts'
import { parseDisputeView } from '../views.ts'
import { readClaimability } from './claimability.ts'
import { decodeTimelineEntry, emitters } from './entries.ts'
import { readTasks } from './listTasks.ts'
import { findPostedTerms } from './readPostedTerms.ts'

/** Contracts whose events have the task id as the first topic: all but the staking vault. */
const taskContracts = emitters.filter((name) => name !== 'stakingVault')

/** Reads a task with its terms, text, dispute and timeline; null if it does not exist. */
export async function readTaskDetail(
  provider: Provider,
  market: Market,
  contracts: MarketAddresses,
  number: bigint,
  block: BlockRef,
): Promise<{ detail: TaskDetail | null }> {
  const found = await readTasks(provider, contracts, [number], block)
  const [task] = await readClaimability(provider, market, contracts, found, block)
  if (!task) return { detail: null }
  const dispute = await provider.client.readContract({
    address: contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'disputeOf',
    args: [number],
    blockNumber: block.number,
  })
  const logs = await getLogs(
    provider.rpc,
    { address: taskContracts.map((name) => contracts[name]), topics: [null, numberToHex(number, { size: 32 })] },
    { from: BigInt(task.postedBlock), to: block.number },
  )
  const timeline = await Promise.all(logs.map((log) => decodeTimelineEntry(provider, log, contracts)))
  const events = timeline.map(({ event }) => event)
  const published = events.find((event) => event.name === 'TaskTextPublished')
  return {
    detail: {
      task,
      terms: findPostedTerms(events, provider, number),
      text: task.scope === 'OPEN' ? (published?.args.text ?? null) : null,
      dispute: parseDisputeView(number, dispute),
      timeline: timeline.map(({ entry }) => entry),
    },
  }
}
