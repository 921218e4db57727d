import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
} from '@svc/protocol/abis'
import { type AgentRecord, type ArbitratorRecord, reputationScore } from '@svc/protocol/records'
import { type Address, getAddress, slice } from 'viem'
import { ChainReadError } from '../errors.ts'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'

/** More wallets than this are for an index to rank. */
const maxAgents = 10_000

/** A wallet's deposit, reputation, stake and what waits for it. */
export async function getAgent(
  { client }: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  block: BlockRef,
): Promise<{ agent: AgentRecord }> {
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi, args: [wallet] } as const
  const [deposit, reserved, liveClaims, reputation, staked, payouts, awards] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { ...deposits, functionName: 'balanceOf' },
      { ...deposits, functionName: 'reservedOf' },
      { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'liveClaimsOf', args: [wallet] },
      {
        address: contracts.reputationRegistry,
        abi: reputationRegistryAbi,
        functionName: 'reputationOf',
        args: [wallet],
      },
      { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'stakedOf', args: [wallet] },
      { address: contracts.escrowVault, abi: escrowVaultAbi, functionName: 'withdrawableOf', args: [wallet] },
      { address: contracts.arbitration, abi: arbitrationAbi, functionName: 'withdrawableOf', args: [wallet] },
    ],
  })
  return {
    agent: {
      address: wallet,
      deposit,
      reserved,
      liveClaims: Number(liveClaims),
      ...reputation,
      staked,
      payouts,
      awards,
    },
  }
}

/** Wallets with a reputation, best first. */
export async function listAgents(
  provider: Provider,
  contracts: MarketAddresses,
  limit: number,
  block: BlockRef,
  startBlock: bigint,
): Promise<{ agents: AgentRecord[] }> {
  const address = contracts.reputationRegistry
  const logs = await getLogs(provider.rpc, { address }, { from: startBlock, to: block.number })
  // After the task, every topic of the registry's events is a wallet.
  const wallets = [...new Set(logs.flatMap(({ topics }) => topics.slice(2)))].map((topic) =>
    getAddress(slice(topic, 12)),
  )
  if (wallets.length > maxAgents) {
    throw new ChainReadError(`More than ${maxAgents} wallets are for an index to rank.`, { retryable: false })
  }
  const reputations = await provider.client.readContract({
    address,
    abi: reputationRegistryAbi,
    functionName: 'reputationsOf',
    args: [wallets],
    blockNumber: block.number,
  })
  const scores = new Map(reputations.map((each, index) => [wallets[index], reputationScore(each)]))
  const best = wallets.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || byText(a, b)).slice(0, limit)
  const agents = await Promise.all(best.map((wallet) => getAgent(provider, contracts, wallet, block)))
  return { agents: agents.map(({ agent }) => agent) }
}

/** Arbitrators, largest bond first. */
export async function listArbitrators(
  { client }: Provider,
  { arbitration }: MarketAddresses,
  limit: number,
  block: BlockRef,
): Promise<{ arbitrators: ArbitratorRecord[] }> {
  const contract = { address: arbitration, abi: arbitrationAbi } as const
  const { number: blockNumber } = block
  const wallets = await client.readContract({
    ...contract,
    functionName: 'arbitratorsFrom',
    args: [0n, BigInt(maxAgents)],
    blockNumber,
  })
  const found = await client.multicall({
    allowFailure: false,
    blockNumber,
    contracts: wallets.map((wallet) => ({ ...contract, functionName: 'arbitratorOf', args: [wallet] }) as const),
  })
  const arbitrators = found.map((each, index) => ({ address: wallets[index] ?? '0x', ...each }))
  const sorted = arbitrators.toSorted((a, b) =>
    a.bond === b.bond ? byText(a.address, b.address) : a.bond < b.bond ? 1 : -1,
  )
  return { arbitrators: sorted.slice(0, limit) }
}

const byText = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)
