import { taskStates } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type CourtCase, sortCourtCases, toCourtCase } from '@svc/protocol/internal/steps'
import { maxUint256 } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { maxTaskScan } from './listTasks.ts'
import { readDisputes } from './readDisputes.ts'

/** Calls that look for disputed tasks, each through 5,000 tasks and at most 200 disputes. */
const maxPages = 20
const pageSize = 200n

export interface CourtCases {
  /** In the order of the desk: see `sortCourtCases`. */
  cases: readonly CourtCase[]
  /** There are more tasks than were looked at; the oldest were not. */
  truncated: boolean
}

/** Reads the cases that wait for the final court of a market, straight from the contracts and without logs. */
export async function readCourtCases(
  provider: Provider,
  contracts: MarketAddresses,
  block: BlockRef,
): Promise<CourtCases> {
  const found: CourtCase[] = []
  let start = maxUint256
  for (let page = 0; page < maxPages; page++) {
    const [numbers, next] = await provider.client.readContract({
      address: contracts.taskRegistry,
      abi: taskRegistryAbi,
      functionName: 'findTasks',
      args: [taskStates.indexOf('DISPUTED'), start, maxTaskScan, pageSize],
      blockNumber: block.number,
    })
    for (const dispute of await readDisputes(provider, contracts, numbers, block)) {
      const case_ = toCourtCase(dispute)
      if (case_) found.push(case_)
    }
    if (next === 0n) return { cases: sortCourtCases(found, block.timestamp), truncated: false }
    start = next
  }
  return { cases: sortCourtCases(found, block.timestamp), truncated: true }
}
