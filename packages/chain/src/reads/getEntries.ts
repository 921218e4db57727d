import { taskRegistryAbi } from '@svc/protocol/abis'
import { toSunsetTime } from '@svc/protocol/internal/fold'
import type { EntriesRecord } from '@svc/protocol/internal/records'
import type { MarketContracts } from '../deployments.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'

/** Reads at a block whether a market accepts posts, private tasks and claims. */
export async function getEntries(
  { client }: Provider,
  { taskRegistry }: Pick<MarketContracts, 'taskRegistry'>,
  block: Pick<BlockRef, 'number'>,
): Promise<{ entries: EntriesRecord }> {
  const registry = { address: taskRegistry, abi: taskRegistryAbi } as const
  const [paused, endsAt] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { ...registry, functionName: 'paused' },
      { ...registry, functionName: 'sunsetAt' },
    ],
  })
  return { entries: { paused, sunsetAt: toSunsetTime(endsAt) } }
}
