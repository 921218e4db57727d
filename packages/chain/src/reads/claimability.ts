import { type Market, marketParams } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { toSunsetTime } from '@svc/protocol/internal/fold'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { computeClaimableUntil } from '@svc/protocol/lifecycle'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { MarketContracts } from '../deployments.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { toNullable } from '../views.ts'

/** Bytes of calldata per multicall: more than a page of tasks needs. */
const batchSize = 65_536

/** Adds to tasks of a market until when they can be claimed, and by whom. Makes one call if any of them is posted, otherwise none. */
export async function readClaimability(
  provider: Provider,
  market: Market,
  contracts: MarketContracts,
  tasks: readonly TaskRecord[],
  block: BlockRef,
): Promise<TaskSnapshot[]> {
  const posted = tasks.filter(({ state }) => state === 'POSTED')
  const found = new Map(await readClaims(provider, market, contracts, posted, block))
  return tasks.map((task) => ({ ...task, claimableUntil: 0, allowedWorker: null, ...found.get(task.number) }))
}

async function readClaims(
  { client }: Provider,
  market: Market,
  contracts: MarketContracts,
  posted: readonly TaskRecord[],
  block: BlockRef,
) {
  if (posted.length === 0) return []
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const permitted = posted.filter(({ claimPolicy }) => claimPolicy === 'PERMIT')
  const calls = [
    { ...registry, functionName: 'paused' } as const,
    { ...registry, functionName: 'sunsetAt' } as const,
    ...permitted.map(({ number }) => ({ ...registry, functionName: 'allowedWorkerOf', args: [number] }) as const),
  ]
  const found = await client.multicall({ allowFailure: false, blockNumber: block.number, batchSize, contracts: calls })
  const [entriesPaused, endsAt, ...allowed] = found as [boolean, bigint, ...Address[]]
  const surroundings = { entriesPaused, sunsetAt: toSunsetTime(endsAt) }
  const allowedOf = new Map(permitted.map(({ number }, index) => [number, allowed[index]]))
  return posted.map((task) => {
    const until = computeClaimableUntil(task, marketParams[market], surroundings, block.timestamp)
    const worker = allowedOf.get(task.number)
    return [task.number, { claimableUntil: until ?? 0, allowedWorker: worker ? toNullable(worker) : null }] as const
  })
}

/** Adds to tasks what other storage holds of them: what they reserve of their posters' deposits, and whom these let claim. */
export async function readTaskExtras(
  { client }: Provider,
  { depositVault, taskRegistry }: MarketContracts,
  tasks: readonly TaskRecord[],
  block: BlockRef,
): Promise<(TaskRecord & { posterReserve: bigint; allowedWorker: Address | null })[]> {
  if (tasks.length === 0) return []
  const read = { allowFailure: false, blockNumber: block.number, batchSize } as const
  const [reserves, allowed] = await Promise.all([
    client.multicall({
      ...read,
      contracts: tasks.map(
        ({ number, poster }) =>
          ({ address: depositVault, abi: depositVaultAbi, functionName: 'reserveOf', args: [number, poster] }) as const,
      ),
    }),
    client.multicall({
      ...read,
      contracts: tasks.map(
        ({ number }) =>
          ({ address: taskRegistry, abi: taskRegistryAbi, functionName: 'allowedWorkerOf', args: [number] }) as const,
      ),
    }),
  ])
  return tasks.map((task, index) => {
    const worker = allowed[index]
    const allowedWorker = task.state === 'POSTED' && worker ? toNullable(worker) : null
    return { ...task, posterReserve: reserves[index] ?? 0n, allowedWorker }
  })
}
