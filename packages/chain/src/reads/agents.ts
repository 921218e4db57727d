import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
} from '@svc/protocol/abis'
import { type AgentRecord, type ArbitratorRecord, computeReputationScore } from '@svc/protocol/records'
import { type Address, type ContractFunctionReturnType, getAddress, slice, zeroAddress } from 'viem'
import type { MarketContracts } from '../deployments.ts'
import { ChainReadError } from '../errors.ts'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'

/** The most wallets that are ranked without an index. */
const maxAgents = 10_000

/** Bytes of calldata per multicall: about sixty wallets. */
const batchSize = 16_384

/** Reads a wallet's deposit, reputation, stake and withdrawable amounts. */
export async function getAgent(
  provider: Provider,
  contracts: MarketContracts,
  wallet: Address,
  block: BlockRef,
): Promise<{ agent: AgentRecord }> {
  const [agent] = await readAgents(provider, contracts, [wallet], block)
  if (!agent) throw new Error(`${wallet} was not read.`)
  return { agent }
}

/** Reads the same for many wallets, in their order. */
export async function readAgents(
  { client }: Provider,
  contracts: MarketContracts,
  wallets: readonly Address[],
  block: Pick<BlockRef, 'number'>,
): Promise<AgentRecord[]> {
  if (wallets.length === 0) return []
  const calls = wallets.map((wallet) => buildAgentCalls(contracts, wallet))
  const found = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    batchSize,
    contracts: calls.flat(),
  })
  return wallets.map((address, index) => {
    const width = calls[index]?.length ?? 0
    const own = found.slice(index * width, (index + 1) * width)
    const [deposit, reserved, reputation, staked, payouts, awards] = own as AgentFacts
    return { address, deposit, reserved, ...reputation, staked, payouts, awards }
  })
}

type Reputation = ContractFunctionReturnType<typeof reputationRegistryAbi, 'view', 'reputationOf'>
type AgentFacts = [bigint, bigint, Reputation, bigint, bigint, bigint]

function buildAgentCalls(contracts: MarketContracts, wallet: Address) {
  const args = [wallet] as const
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi, args } as const
  return [
    { ...deposits, functionName: 'balanceOf' },
    { ...deposits, functionName: 'reservedOf' },
    { address: contracts.reputationRegistry, abi: reputationRegistryAbi, functionName: 'reputationOf', args },
    { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'stakedOf', args },
    { address: contracts.escrowVault, abi: escrowVaultAbi, functionName: 'withdrawableOf', args },
    { address: contracts.arbitration, abi: arbitrationAbi, functionName: 'withdrawableOf', args },
  ] as const
}

/** Lists wallets with a reputation, highest score first. */
export async function listAgents(
  provider: Provider,
  contracts: MarketAddresses,
  limit: number,
  block: BlockRef,
  startBlock: bigint,
): Promise<{ agents: AgentRecord[] }> {
  const address = contracts.reputationRegistry
  const logs = await getLogs(provider.rpc, { address }, { from: startBlock, to: block.number })
  // In the registry's events, every topic after the task id is a wallet, or zero for a dispute that nobody won.
  const wallets = [...new Set(logs.flatMap(({ topics }) => topics.slice(2)))]
    .map((topic) => getAddress(slice(topic, 12)))
    .filter((wallet) => wallet !== zeroAddress)
  if (wallets.length > maxAgents) {
    throw new ChainReadError(`The market has more than ${maxAgents} wallets. Ranking them requires the index.`, {
      retryable: false,
    })
  }
  const reputations = await provider.client.readContract({
    address,
    abi: reputationRegistryAbi,
    functionName: 'reputationsOf',
    args: [wallets],
    blockNumber: block.number,
  })
  const scores = new Map(reputations.map((each, index) => [wallets[index], computeReputationScore(each)]))
  const best = wallets
    .toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || compareText(a, b))
    .slice(0, limit)
  const agents = await Promise.all(best.map((wallet) => getAgent(provider, contracts, wallet, block)))
  return { agents: agents.map(({ agent }) => agent) }
}

/** Lists arbitrators, largest bond first. */
export async function listArbitrators(
  provider: Provider,
  contracts: MarketAddresses,
  limit: number,
  block: BlockRef,
): Promise<{ arbitrators: ArbitratorRecord[] }> {
  const wallets = await provider.client.readContract({
    address: contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'arbitratorsFrom',
    args: [0n, BigInt(maxAgents)],
    blockNumber: block.number,
  })
  const arbitrators = await readArbitrators(provider, contracts, wallets, block)
  const sorted = arbitrators.toSorted((a, b) =>
    a.bond === b.bond ? compareText(a.address, b.address) : a.bond < b.bond ? 1 : -1,
  )
  return { arbitrators: sorted.slice(0, limit) }
}

/** Reads the arbitrator records of these wallets, in their order. A wallet that never bonded has zeros. */
export async function readArbitrators(
  { client }: Provider,
  { arbitration }: Pick<MarketContracts, 'arbitration'>,
  wallets: readonly Address[],
  block: Pick<BlockRef, 'number'>,
): Promise<ArbitratorRecord[]> {
  if (wallets.length === 0) return []
  const contract = { address: arbitration, abi: arbitrationAbi, functionName: 'arbitratorOf' } as const
  const found = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    batchSize,
    contracts: wallets.map((wallet) => ({ ...contract, args: [wallet] }) as const),
  })
  return found.map((each, index) => ({ address: wallets[index] ?? '0x', ...each }))
}

const compareText = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)
