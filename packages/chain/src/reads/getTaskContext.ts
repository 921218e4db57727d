import { computeSettlementDigest, type Market } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskContext } from '@svc/protocol/actions'
import { toSunsetTime } from '@svc/protocol/internal/fold'
import { toDisputeFacts, toTaskFacts } from '@svc/protocol/internal/tasks'
import type { DisputeRecord, TaskRecord } from '@svc/protocol/records'
import { type Address, erc20Abi, getAddress, zeroAddress } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { parseDisputeView, toNullable } from '../views.ts'
import { readTasks } from './listTasks.ts'
import { readPostedTerms } from './readPostedTerms.ts'

/**
 * Reads everything that decides what these wallets may do with a task, at one block; null if the task does not exist. Includes
 * the wallets of both parties.
 */
export async function getTaskContext(
  provider: Provider,
  contracts: MarketAddresses,
  { market, number }: { market: Market; number: bigint },
  wallets: readonly Address[],
  block: BlockRef,
): Promise<TaskContext | null> {
  const [task] = await readTasks(provider, contracts, [number], block)
  if (!task) return null
  const { client } = provider
  const blockNumber = block.number
  const parties = [...new Set([...wallets.map((each) => getAddress(each)), task.poster, task.worker ?? zeroAddress])]
  const [[entriesPaused, sunsetAt, posterReserve, given, allowed], accounts, claimDigest] = await Promise.all([
    client.multicall({
      allowFailure: false,
      blockNumber,
      contracts: [
        { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'paused' },
        { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'sunsetAt' },
        {
          address: contracts.depositVault,
          abi: depositVaultAbi,
          functionName: 'reserveOf',
          args: [number, task.poster],
        },
        { address: contracts.arbitration, abi: arbitrationAbi, functionName: 'disputeOf', args: [number] },
        { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'allowedWorkerOf', args: [number] },
      ],
    }),
    readAccounts(provider, contracts, parties, block),
    task.state === 'POSTED' ? readClaimDigest(provider, contracts, market, task) : undefined,
  ])
  const dispute = parseDisputeView(number, given)
  const eligible = dispute ? await readEligible(provider, contracts, dispute, parties, block) : new Set<string>()
  return {
    taskId: { market, number },
    task: toTaskFacts(task, { posterReserve, allowedWorker: toNullable(allowed) }),
    dispute: dispute && toDisputeFacts(dispute),
    entriesPaused,
    finalCourt: contracts.finalCourt,
    sunsetAt: toSunsetTime(sunsetAt),
    account: (wallet) => {
      const facts = accounts.get(getAddress(wallet))
      if (!facts) throw new Error(`${wallet} was not read.`)
      return facts
    },
    canTakeCase: (wallet) => eligible.has(getAddress(wallet)),
    ...(claimDigest && { claimDigest }),
  }
}

/** Reads the terms that a task was posted with, and returns the function that fills in a worker. */
async function readClaimDigest(
  provider: Provider,
  contracts: MarketAddresses,
  market: Market,
  { number, postedBlock }: TaskRecord,
): Promise<NonNullable<TaskContext['claimDigest']>> {
  const terms = await readPostedTerms(provider, contracts, number, postedBlock)
  const signing = {
    chainId: provider.client.chain.id,
    market,
    taskRegistry: contracts.taskRegistry,
    asset: contracts.tokToken,
  }
  return (worker) => computeSettlementDigest(signing, terms, worker)
}

async function readAccounts({ client }: Provider, contracts: MarketAddresses, wallets: Address[], block: BlockRef) {
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const reads = wallets.map(async (wallet) => {
    const args = [wallet] as const
    const [deposit, free, tok, credits] = await client.multicall({
      allowFailure: false,
      blockNumber: block.number,
      contracts: [
        { ...deposits, functionName: 'balanceOf', args },
        { ...deposits, functionName: 'freeOf', args },
        { address: contracts.tokToken, abi: erc20Abi, functionName: 'balanceOf', args },
        { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args },
      ],
    })
    return [wallet, { deposit, free, tok, credits }] as const
  })
  return new Map<string, Awaited<(typeof reads)[number]>[1]>(await Promise.all(reads))
}

/** Finds those of the wallets, and of the arbitrators that a dispute names, who can take its case. */
async function readEligible(
  { client }: Provider,
  { arbitration }: MarketAddresses,
  { amount, named, posterProposal, workerProposal }: DisputeRecord,
  wallets: readonly Address[],
  block: BlockRef,
): Promise<Set<string>> {
  const all = [...new Set([...wallets, named, posterProposal, workerProposal])].filter((wallet) => wallet !== null)
  const found = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: all.map(
      (wallet) =>
        ({ address: arbitration, abi: arbitrationAbi, functionName: 'isEligible', args: [wallet, amount] }) as const,
    ),
  })
  return new Set(all.filter((_, index) => found[index]))
}
