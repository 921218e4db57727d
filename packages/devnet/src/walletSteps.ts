import type { Deployments } from '@svc/chain'
import { type PaidPlan, planIdOf } from '@svc/protocol'
import { depositVaultAbi, paymentGatewayAbi, pricingPolicyAbi, stakingVaultAbi, tokTokenAbi } from '@svc/protocol/abis'
import { type Address, encodeFunctionData, type LocalAccount, maxUint256, zeroHash } from 'viem'
import { mockUSDCAbi } from './abis/mockUSDC.ts'
import { timelockControllerAbi } from './abis/timelockController.ts'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { refreshPrice } from './mocks.ts'
import type { Scene } from './scene.ts'
import { send } from './send.ts'
import { warp } from './time.ts'

/** Gives a wallet TOK from the treasury and fresh USDC. */
export async function give(
  client: DevnetClient,
  { shared }: Deployments,
  to: Address,
  { tok, usdc }: { tok: bigint; usdc: bigint },
): Promise<void> {
  if (tok > 0n) {
    await send(client, accounts.treasury, {
      address: shared.tokToken,
      abi: tokTokenAbi,
      functionName: 'transfer',
      args: [to, tok],
    })
  }
  if (usdc > 0n) {
    await send(client, accounts.treasury, {
      address: shared.usdc,
      abi: mockUSDCAbi,
      functionName: 'mint',
      args: [to, usdc],
    })
  }
}

/** Lets the market's router take the wallet's TOK, and its vaults the wallet's USDC. */
export async function approve({ client, contracts }: Scene, account: LocalAccount): Promise<void> {
  const allow = (address: Address, spender: Address) =>
    send(client, account, { address, abi: tokTokenAbi, functionName: 'approve', args: [spender, maxUint256] })
  await allow(contracts.tokToken, contracts.paymentGateway)
  await allow(contracts.usdc, contracts.depositVault)
  await allow(contracts.usdc, contracts.paymentGateway)
}

/** Adds USDC to a deposit: the wallet's own, or that of the agent it helps. */
export async function topUp(
  { client, contracts }: Scene,
  account: LocalAccount,
  amount: bigint,
  agent = account.address,
): Promise<void> {
  await send(client, account, {
    address: contracts.depositVault,
    abi: depositVaultAbi,
    functionName: 'topUpFor',
    args: [agent, amount],
  })
}

/** Stakes TOK with the Union. */
export async function stake({ client, contracts }: Scene, account: LocalAccount, amount: bigint): Promise<void> {
  await send(client, account, {
    address: contracts.stakingVault,
    abi: stakingVaultAbi,
    functionName: 'stake',
    args: [amount],
  })
}

/** Buys 30 days of a plan at the price of the moment. */
export async function buyPlan(
  { client, contracts }: Scene,
  account: LocalAccount,
  plan: PaidPlan,
  asset: 'tok' | 'usdc',
) {
  await refreshPrice(client, accounts.keeper)
  const planId = planIdOf(plan)
  const { amount } = await client.readContract({
    address: contracts.pricingPolicy,
    abi: pricingPolicyAbi,
    functionName: 'quote',
    args: [planId, asset === 'tok'],
  })
  await send(client, account, {
    address: contracts.paymentGateway,
    abi: paymentGatewayAbi,
    functionName: 'buyPlan',
    args: [planId, account.address, asset === 'tok' ? contracts.tokToken : contracts.usdc, amount],
  })
}

/** Opens staking in both markets the way an owner does anything: queued in the timelock, carried out after its delay. */
export async function openStaking(client: DevnetClient, { shared, markets }: Deployments): Promise<void> {
  const targets = Object.values(markets).map(({ stakingVault }) => stakingVault)
  const values = targets.map(() => 0n)
  const data = encodeFunctionData({ abi: stakingVaultAbi, functionName: 'activateStaking' })
  const payloads = targets.map(() => data)
  const timelock = { address: shared.timelock, abi: timelockControllerAbi } as const
  const delay = await client.readContract({ ...timelock, functionName: 'getMinDelay' })
  const batch = [targets, values, payloads, zeroHash, zeroHash] as const
  await send(client, accounts.guardian, { ...timelock, functionName: 'scheduleBatch', args: [...batch, delay] })
  await warp(client, Number(delay))
  await send(client, accounts.guardian, { ...timelock, functionName: 'executeBatch', args: batch })
}
