import type { Deployments } from '@svc/chain'
import {
  accounts,
  approve,
  buyPlan,
  createScene,
  type DevnetClient,
  give,
  hashOf,
  multicall3,
  post,
  refreshPrice,
  type Scene,
  send,
  type Told,
  topUp,
  warpTo,
} from '@svc/devnet'
import {
  claimPolicies,
  defaultReviewWindow,
  formatTaskId,
  type Market,
  markets,
  type PaidPlan,
  parseAmount,
  parseTaskId,
  taskScopes,
} from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type LocalAccount,
  maxUint256,
  parseAbi,
  parseEther,
  parseEventLogs,
  zeroAddress,
} from 'viem'

/** Wallets with money, allowances and deposits in both markets, and no history. */
export const posters = [accounts.ada, accounts.bruno, accounts.chiara, accounts.devi] as const

/** A chain whose wallets can post at once: a few seconds instead of the demo world's twenty. */
export async function fillWithPosters(
  client: DevnetClient,
  deployments: Deployments,
  present: number,
): Promise<Told[]> {
  await warpTo(client, present)
  await refreshPrice(client, accounts.keeper)
  for (const account of posters) await makePoster(client, deployments, account)
  return []
}

/** Gives a wallet all that posting and paying takes, in both markets. */
export async function makePoster(client: DevnetClient, deployments: Deployments, account: LocalAccount): Promise<void> {
  await client.setBalance({ address: account.address, value: parseEther('100') })
  const money = { tok: parseAmount('5,000,000', 'tok'), usdc: parseAmount('20,000', 'usdc') }
  await give(client, deployments, account.address, money)
  for (const market of markets) {
    const scene = createScene(client, deployments, market)
    await approve(scene, account)
    await topUp(scene, account, parseAmount('4,000', 'usdc'))
  }
}

/** What a client sends to /api/posting/record. */
export interface RecordBody {
  address: Address
  taskId: string
  txHash: Hex
  taskAmountTok: string
  market: Market
}

/** The same as the service reads it. */
export function claimOf({ address, taskId, txHash, taskAmountTok }: RecordBody) {
  return { address, task: parseTaskId(taskId), amount: BigInt(taskAmountTok), txHash }
}

/** Posts a task and says what its client would record. */
export async function postTask(scene: Scene, poster: LocalAccount, amount = 10n ** 18n): Promise<RecordBody> {
  const { id } = await post(
    scene,
    { poster, text: 'Count the birds\n\nAll of them.', amounts: [amount], duration: 86_400 },
    0n,
  )
  return {
    address: poster.address,
    taskId: formatTaskId({ market: scene.market, number: id }),
    txHash: await lastTransaction(scene.client),
    taskAmountTok: String(amount),
    market: scene.market,
  }
}

/** Posts two tasks in one transaction; the contract that makes both calls is the poster. */
export async function postTwice(scene: Scene): Promise<RecordBody[]> {
  const { client, deployments, contracts, market, params } = scene
  const [text, amount] = ['Count the trees\n\nTwice.', 10n ** 18n]
  await give(client, deployments, multicall3, { tok: parseAmount('3,000', 'tok'), usdc: parseAmount('100', 'usdc') })
  const allow = (spender: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
  const { timestamp } = await client.getBlock()
  const terms = (nonce: bigint) => ({
    poster: multicall3,
    amounts: [amount],
    durations: [86_400n],
    reviewWindow: BigInt(defaultReviewWindow[market]),
    maxRevisions: 1,
    arbitrator: zeroAddress,
    criteriaHash: hashOf(text),
    scope: taskScopes.indexOf('OPEN'),
    claimPolicy: claimPolicies.indexOf('ANYONE'),
    claimDeadline: timestamp + BigInt(params.maxClaimDeadline / 2),
    nonce,
  })
  const postCall = (nonce: bigint) => ({
    target: contracts.taskRegistry,
    callData: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'post', args: [terms(nonce), text, 0n] }),
  })
  const deposit = [multicall3, parseAmount('100', 'usdc')] as const
  await together(client, [
    { target: contracts.tokToken, callData: allow(contracts.paymentGateway) },
    { target: contracts.usdc, callData: allow(contracts.depositVault) },
    {
      target: contracts.depositVault,
      callData: encodeFunctionData({ abi: depositVaultAbi, functionName: 'topUpFor', args: deposit }),
    },
    postCall(1n),
    postCall(2n),
  ])
  const txHash = await lastTransaction(client)
  const { logs } = await client.getTransactionReceipt({ hash: txHash })
  return parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs }).map(({ args }) => ({
    address: multicall3,
    taskId: formatTaskId({ market, number: args.taskId }),
    txHash,
    taskAmountTok: String(amount),
    market,
  }))
}

/** Makes several calls in one transaction; the caller of each is Multicall3. */
export async function together(
  client: DevnetClient,
  calls: readonly { target: Address; callData: Hex }[],
): Promise<void> {
  const args = [calls.map((call) => ({ ...call, allowFailure: false }))] as const
  await send(client, accounts.keeper, { address: multicall3, abi: aggregateAbi, functionName: 'aggregate3', args })
}

const aggregateAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes data)[])',
])

/** What a client sends to /api/posting/upgrade. */
export interface UpgradeBody {
  address: Address
  tier: PaidPlan
  txHash: Hex
  payWith: 'tok' | 'usdc'
  market: Market
}

/** Buys a plan and says what its client would send. */
export async function payFor(
  scene: Scene,
  payer: LocalAccount,
  tier: PaidPlan,
  payWith: 'tok' | 'usdc',
): Promise<UpgradeBody> {
  await buyPlan(scene, payer, tier, payWith)
  return { address: payer.address, tier, txHash: await lastTransaction(scene.client), payWith, market: scene.market }
}

/** The newest transaction; the chain mines one block for each. */
export async function lastTransaction(client: DevnetClient): Promise<Hex> {
  const { transactions } = await client.getBlock()
  const hash = transactions.at(-1)
  if (!hash) throw new Error('The newest block is empty.')
  return hash
}
