import { type ChainClient, createProvider, createRpc, createViemChain } from '@svc/chain'
import { type Anvil, accounts, deployMocks, mockFeed, sendCall, startAnvil } from '@svc/devnet'
import { getChainProfile } from '@svc/protocol'
import { parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DeployState } from '../../apps/admin/src/deploy/deployState.ts'
import { createKeySigner, type Signer } from '../../apps/admin/src/deploy/signer.ts'
import { hashPlan, type Plan, planSchema } from '../../apps/admin/src/plan/planFile.ts'
import { isFullRehearsal } from '../harness/env.ts'
import { deploySafes, type LocalSafe } from './localSafe.ts'

/** A local chain with what a real one has before a deployment: USDC, feeds, the Safes of those who govern. */
export interface Rehearsal extends Anvil {
  provider: ChainClient
  governor: LocalSafe
  deployerSafe: LocalSafe
  /** The JSON of a plan that is right. */
  planJson: Record<string, unknown>
  plan: Plan
  signer: Signer
}

const { deployer, guardian, ada, bruno, chiara } = accounts
/** The deployer, as a key. */
export const deployerKey = privateKeyToAccount(`0x${'d3'.repeat(32)}`)
/** The private key of the guardian of the plan. */
export const guardianKey = `0x${'67'.repeat(32)}` as const

/** Starts a chain with an id and prepares it. Its first block is of now, unless a time is given. */
export async function startRehearsal(chainId: number, genesisTime?: number): Promise<Rehearsal> {
  const anvil = await startAnvil({ chainId, ...(genesisTime && { genesisTime }) })
  const { client, rpcUrl } = anvil
  await deployMocks(client, guardian)
  await client.setBalance({ address: deployerKey.address, value: parseEther('100') })
  await client.setBalance({ address: privateKeyToAccount(guardianKey).address, value: parseEther('1') })
  const { usdc, sequencerFeed } = getChainProfile(chainId)
  if (sequencerFeed) {
    const code = await client.getCode({ address: mockFeed })
    await client.setCode({ address: sequencerFeed, bytecode: code ?? '0x' })
    await sendCall(client, guardian, {
      address: sequencerFeed,
      abi: parseAbi(['function set(int256 answer, uint256 startedAt, uint256 updatedAt)']),
      functionName: 'set',
      args: [0n, 1n, 1n],
    })
  }
  const createSafe = await deploySafes(client, deployer)
  const governor = await createSafe([ada, bruno, chiara], 2)
  const treasury = await createSafe([ada, bruno], 2)
  const finalCourt = await createSafe([bruno, chiara], 2)
  const deployerSafe = await createSafe([ada, chiara], 2)
  const planJson = {
    chainId,
    deployer: deployerKey.address,
    suite: 'rehearsal-1',
    usdc,
    tok: { mintTo: treasury.address },
    timelock: { governors: [governor.address] },
    oracle: { priceFeed: mockFeed, sequencerFeed },
    treasury: treasury.address,
    finalCourt: finalCourt.address,
    guardian: privateKeyToAccount(guardianKey).address,
  }
  const provider = createProvider(createRpc({ name: 'anvil', url: rpcUrl }), createViemChain(chainId)).client
  return {
    ...anvil,
    provider,
    governor,
    deployerSafe,
    planJson,
    plan: planSchema.parse(planJson),
    signer: createKeySigner(deployerKey, provider),
  }
}

/** The state of a deployment that has not begun. */
export const createState = (plan: Plan): DeployState => ({
  plan: hashPlan(plan),
  chainId: plan.chainId,
  startBlock: null,
  transactions: [],
})

/** Whether this is the whole rehearsal (`pnpm rehearse`), or the short form of CI. */
export const isFull = isFullRehearsal()
