import { taskLensAbi } from '@svc/protocol/abis'
import type { DisputeRecord } from '@svc/protocol/records'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { parseDisputeView } from '../views.ts'

/** Reads the last dispute of each of these tasks in one call, without the tasks that never had one. */
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
  return views.map(({ taskId, dispute }) => parseDisputeView(taskId, dispute)).filter((dispute) => dispute !== null)
}
