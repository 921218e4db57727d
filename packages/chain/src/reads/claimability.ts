import { type Market, marketParams } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { toSunsetTime } from '@svc/protocol/fold'
import { computeClaimableUntil } from '@svc/protocol/lifecycle'
import type { TaskRecord, TaskSnapshot } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { MarketContracts } from '../deployments.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'

/** Bytes of calldata per multicall: more than a page of tasks needs. */
const batchSize = 65_536

/** Adds to tasks of a market until when they can be claimed. Makes one call if any of them is posted, otherwise none. */
export async function readClaimability(
  provider: Provider,
  market: Market,
  contracts: MarketContracts,
  tasks: readonly TaskRecord[],
  block: BlockRef,
): Promise<TaskSnapshot[]> {
  const posted = tasks.filter(({ state }) => state === 'POSTED')
  const until = new Map(await computeEnds(provider, market, contracts, posted, block))
  return tasks.map((task) => ({ ...task, claimableUntil: until.get(task.number) ?? 0 }))
}

async function computeEnds(
  { client }: Provider,
  market: Market,
  contracts: MarketContracts,
  posted: readonly TaskRecord[],
  block: BlockRef,
) {
  if (posted.length === 0) return []
  const posters = [...new Set(posted.map(({ poster }) => poster))]
  const calls = [
    { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'paused' } as const,
    { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'sunsetAt' } as const,
    ...buildReserveCalls(contracts, posted),
    ...posters.map((poster) => buildFreeCall(contracts, poster)),
  ]
  const found = await client.multicall({ allowFailure: false, blockNumber: block.number, batchSize, contracts: calls })
  const [entriesPaused, endsAt, ...amounts] = found as [boolean, bigint, ...bigint[]]
  const sunsetAt = toSunsetTime(endsAt)
  const freeOf = new Map(posters.map((poster, index) => [poster, amounts[posted.length + index] ?? 0n]))
  return posted.map((task, index) => {
    const surroundings = { entriesPaused, sunsetAt, posterFree: freeOf.get(task.poster) ?? 0n }
    const facts = { ...task, posterReserve: amounts[index] ?? 0n }
    return [
      task.number,
      computeClaimableUntil(facts, marketParams[market], surroundings, block.timestamp) ?? 0,
    ] as const
  })
}

/** Adds to tasks what they reserve of their posters' deposits. */
export async function readPosterReserves(
  { client }: Provider,
  contracts: MarketContracts,
  tasks: readonly TaskRecord[],
  block: BlockRef,
): Promise<(TaskRecord & { posterReserve: bigint })[]> {
  if (tasks.length === 0) return []
  const reserves = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    batchSize,
    contracts: buildReserveCalls(contracts, tasks),
  })
  return tasks.map((task, index) => ({ ...task, posterReserve: reserves[index] ?? 0n }))
}

const buildReserveCalls = ({ depositVault }: MarketContracts, tasks: readonly TaskRecord[]) =>
  tasks.map(
    ({ number, poster }) =>
      ({ address: depositVault, abi: depositVaultAbi, functionName: 'reserveOf', args: [number, poster] }) as const,
  )

const buildFreeCall = ({ depositVault }: MarketContracts, poster: Address) =>
  ({ address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [poster] }) as const
