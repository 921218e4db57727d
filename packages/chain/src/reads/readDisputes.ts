import { taskLensAbi } from '@svc/protocol/abis'
import type { DisputeRecord } from '@svc/protocol/records'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { disputeRecordOf } from '../views.ts'

/** The last dispute of each of these tasks at a block, in one call; tasks that never had one are missing. */
export async function readDisputes(
  { client }: Provider,
  { taskLens }: Pick<MarketAddresses, 'taskLens'>,
  numbers: readonly bigint[],
  block: Pick<BlockRef, 'number'>,
): Promise<DisputeRecord[]> {
  if (numbers.length === 0) return []
  const views = await client.readContract({
    address: taskLens,
    abi: taskLensAbi,
    functionName: 'disputesOf',
    args: [numbers],
    blockNumber: block.number,
  })
  return views
    .map(({ taskId, dispute, bench, appeals }) => disputeRecordOf(taskId, dispute, bench, appeals))
    .filter((dispute) => dispute !== null)
}
