import type { Deployments } from '@svc/chain'
import { depositVaultAbi, paymentGatewayAbi, pricingPolicyAbi, stakingVaultAbi, tokTokenAbi } from '@svc/protocol/abis'
import { encodePlanId, type PaidPlan } from '@svc/protocol/internal/money'
import { type Address, encodeFunctionData, type Hex, type LocalAccount, maxUint256, zeroHash } from 'viem'
import { mockUSDCAbi } from './abis/mocks.ts'
import { timelockControllerAbi } from './abis/timelockController.ts'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { refreshPrice } from './mocks.ts'
import type { Scene } from './scene.ts'
import { sendCall } from './send.ts'
import { advanceTime } from './time.ts'

/** Sends a wallet TOK from the treasury and mints USDC for it. */
export async function sendTokens(
  client: DevnetClient,
  { shared }: Deployments,
  to: Address,
  { tok, usdc }: { tok: bigint; usdc: bigint },
): Promise<void> {
  if (tok > 0n) {
    await sendCall(client, accounts.treasury, {
      address: shared.tokToken,
      abi: tokTokenAbi,
      functionName: 'transfer',
      args: [to, tok],
    })
  }
  if (usdc > 0n) {
    await sendCall(client, accounts.treasury, {
      address: shared.usdc,
      abi: mockUSDCAbi,
      functionName: 'mint',
      args: [to, usdc],
    })
  }
}

/** Approves the payment gateway to spend the wallet's TOK and USDC, and the deposit vault to spend its USDC. */
export async function sendApprovals({ client, contracts }: Scene, account: LocalAccount): Promise<void> {
  const allow = (address: Address, spender: Address) =>
    sendCall(client, account, { address, abi: tokTokenAbi, functionName: 'approve', args: [spender, maxUint256] })
  await allow(contracts.tokToken, contracts.paymentGateway)
  await allow(contracts.usdc, contracts.depositVault)
  await allow(contracts.usdc, contracts.paymentGateway)
}

/** Adds USDC to a deposit: the wallet's own by default, or that of another agent. */
export async function sendTopUp(
  { client, contracts }: Scene,
  account: LocalAccount,
  amount: bigint,
  agent = account.address,
): Promise<void> {
  await sendCall(client, account, {
    address: contracts.depositVault,
    abi: depositVaultAbi,
    functionName: 'topUpFor',
    args: [agent, amount],
  })
}

/** Stakes TOK in the Union. */
export async function sendStake({ client, contracts }: Scene, account: LocalAccount, amount: bigint): Promise<void> {
  await sendCall(client, account, {
    address: contracts.stakingVault,
    abi: stakingVaultAbi,
    functionName: 'stake',
    args: [amount],
  })
}

/** Buys 30 days of a plan at the current price. */
export async function sendPlanPurchase(
  { client, contracts }: Scene,
  account: LocalAccount,
  plan: PaidPlan,
  asset: 'tok' | 'usdc',
) {
  await refreshPrice(client, accounts.keeper)
  const planId = encodePlanId(plan)
  const { amount } = await client.readContract({
    address: contracts.pricingPolicy,
    abi: pricingPolicyAbi,
    functionName: 'quote',
    args: [planId, asset === 'tok'],
  })
  await sendCall(client, account, {
    address: contracts.paymentGateway,
    abi: paymentGatewayAbi,
    functionName: 'buyPlan',
    args: [planId, account.address, asset === 'tok' ? contracts.tokToken : contracts.usdc, amount],
  })
}

/** Activates staking in both markets. Advances the chain by the timelock's delay. */
export async function openStaking(client: DevnetClient, deployments: Deployments): Promise<void> {
  const data = encodeFunctionData({ abi: stakingVaultAbi, functionName: 'activateStaking' })
  const calls = Object.values(deployments.markets).map(({ stakingVault }) => ({ to: stakingVault, data }))
  await executeAsOwner(client, deployments, calls)
}

/** Makes calls as the owner: schedules them in the timelock, advances the chain by its delay and executes them. */
export async function executeAsOwner(
  client: DevnetClient,
  { shared }: Pick<Deployments, 'shared'>,
  calls: readonly { to: Address; data: Hex }[],
): Promise<void> {
  const timelock = { address: shared.timelock, abi: timelockControllerAbi } as const
  const delay = await client.readContract({ ...timelock, functionName: 'getMinDelay' })
  const batch = [
    calls.map(({ to }) => to),
    calls.map(() => 0n),
    calls.map(({ data }) => data),
    zeroHash,
    zeroHash,
  ] as const
  await sendCall(client, accounts.guardian, { ...timelock, functionName: 'scheduleBatch', args: [...batch, delay] })
  await advanceTime(client, Number(delay))
  await sendCall(client, accounts.guardian, { ...timelock, functionName: 'executeBatch', args: batch })
}
