import type { Deployments, MarketContracts, SharedContracts } from '@svc/chain'
import {
  type DisputePhase,
  deriveTaskPhase,
  disputePhases,
  type Market,
  type MarketParams,
  marketParams,
  type TaskPhase,
  type TaskState,
  taskStates,
} from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, taskLensAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { type Address, zeroAddress } from 'viem'
import type { DevnetClient } from './client.ts'
import type { DemoBundle } from './sealWork.ts'
import { getChainTime } from './time.ts'

/** One market of a local chain. Every step acts on it. */
export interface Scene {
  client: DevnetClient
  market: Market
  deployments: Deployments
  params: MarketParams
  contracts: SharedContracts & MarketContracts
  /** The bundles whose hashes steps have put on chain. */
  bundles: DemoBundle[]
}

/** Creates the scene of one market. */
export function createScene(client: DevnetClient, deployments: Deployments, market: Market): Scene {
  const contracts = { ...deployments.shared, ...deployments.markets[market] }
  return { client, market, deployments, params: marketParams[market], contracts, bundles: [] }
}

/** State and phase of a task, and the phase of its dispute. */
export interface Status {
  taskId: bigint
  state: TaskState
  phase: TaskPhase | null
  dispute: DisputePhase
}

/** Reads the status of these tasks at the last block. */
export async function readStatuses({ client, contracts, params }: Scene, ids: readonly bigint[]): Promise<Status[]> {
  const now = await getChainTime(client)
  const lens = { address: contracts.taskLens, abi: taskLensAbi } as const
  const views = await client.readContract({ ...lens, functionName: 'tasksOf', args: [ids] })
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi, functionName: 'disputeOf' } as const
  const disputes = await client.multicall({
    allowFailure: false,
    contracts: ids.map((id) => ({ ...arbitration, args: [id] as const })),
  })
  return views.map(({ taskId, task, funded }, index) => {
    const state = taskStates[task.state] ?? 'NONE'
    const dispute = disputePhases[disputes[index]?.phase ?? 0] ?? 'NONE'
    // The entries of the demo world are never paused.
    const claimableUntil = task.claimDeadline - params.claimCutoff
    const store = task.store === zeroAddress ? null : task.store
    const phase = deriveTaskPhase({ ...task, state, store, funded, claimableUntil }, params, now)
    return { taskId, state, phase, dispute }
  })
}

/** Returns the number of tasks of the market. They are numbered from 1. */
export async function countTasks({ client, contracts }: Scene): Promise<number> {
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  return Number(await client.readContract({ ...registry, functionName: 'taskCount' }))
}

/** Reads the balances of a wallet: TOK in wei, and its deposit in USDC units. */
export async function readBalances({ client, contracts }: Scene, wallet: Address) {
  const [tok, deposit] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: contracts.tokToken, abi: tokTokenAbi, functionName: 'balanceOf', args: [wallet] },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [wallet] },
    ],
  })
  return { tok, deposit }
}
