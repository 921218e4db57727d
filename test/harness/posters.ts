import type { Deployments } from '@svc/chain'
import {
  accounts,
  advanceTimeTo,
  createScene,
  type DemoTask,
  type DevnetClient,
  hashUtf8,
  multicall3,
  refreshPrice,
  type Scene,
  sendApprovals,
  sendCall,
  sendPlanPurchase,
  sendPost,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { claimPolicies, formatTaskId, type Market, markets, parseAmount, parseTaskId, taskScopes } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { defaultReviewWindow, type PaidPlan } from '@svc/protocol/internal/money'
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

/** Prepares a chain whose wallets can post, in a few seconds instead of the demo world's twenty. */
export async function fillWithPosters(
  client: DevnetClient,
  deployments: Deployments,
  present: number,
): Promise<DemoTask[]> {
  await advanceTimeTo(client, present)
  await refreshPrice(client, accounts.keeper)
  for (const account of posters) await fundPoster(client, deployments, account)
  return []
}

/** Gives a wallet everything it needs to post and pay in both markets. */
export async function fundPoster(client: DevnetClient, deployments: Deployments, account: LocalAccount): Promise<void> {
  await client.setBalance({ address: account.address, value: parseEther('100') })
  const money = { tok: parseAmount('5,000,000', 'tok'), usdc: parseAmount('20,000', 'usdc') }
  await sendTokens(client, deployments, account.address, money)
  for (const market of markets) {
    const scene = createScene(client, deployments, market)
    await sendApprovals(scene, account)
    await sendTopUp(scene, account, parseAmount('4,000', 'usdc'))
  }
}

/** The body of POST /api/posting/record. */
export interface RecordBody {
  address: Address
  taskId: string
  txHash: Hex
  taskAmountTok: string
  market: Market
}

/** Converts it to what the service works with. */
export function parseRecordBody({ address, taskId, txHash, taskAmountTok }: RecordBody) {
  return { address, task: parseTaskId(taskId), amount: BigInt(taskAmountTok), txHash }
}

/** Posts a task and returns what its client would record. */
export async function postTask(scene: Scene, poster: LocalAccount, amount = 10n ** 18n): Promise<RecordBody> {
  const { id } = await sendPost(
    scene,
    { poster, text: 'Count the birds\n\nAll of them.', amounts: [amount], duration: 86_400 },
    0n,
  )
  return {
    address: poster.address,
    taskId: formatTaskId({ market: scene.market, number: id }),
    txHash: await readLastTransaction(scene.client),
    taskAmountTok: String(amount),
    market: scene.market,
  }
}

/** Posts two tasks in one transaction. The contract that makes both calls is the poster. */
export async function postTwoTasks(scene: Scene): Promise<RecordBody[]> {
  const { client, deployments, contracts, market, params } = scene
  const [text, amount] = ['Count the trees\n\nTwice.', 10n ** 18n]
  await sendTokens(client, deployments, multicall3, {
    tok: parseAmount('4,000', 'tok'),
    usdc: parseAmount('100', 'usdc'),
  })
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
    store: zeroAddress,
    criteriaHash: hashUtf8(text),
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
  await sendTogether(client, [
    { target: contracts.tokToken, callData: allow(contracts.paymentGateway) },
    { target: contracts.usdc, callData: allow(contracts.depositVault) },
    {
      target: contracts.depositVault,
      callData: encodeFunctionData({ abi: depositVaultAbi, functionName: 'topUpFor', args: deposit }),
    },
    postCall(1n),
    postCall(2n),
  ])
  const txHash = await readLastTransaction(client)
  const { logs } = await client.getTransactionReceipt({ hash: txHash })
  return parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs }).map(({ args }) => ({
    address: multicall3,
    taskId: formatTaskId({ market, number: args.taskId }),
    txHash,
    taskAmountTok: String(amount),
    market,
  }))
}

/** Makes several calls in one transaction. The caller of each is Multicall3. */
export async function sendTogether(
  client: DevnetClient,
  calls: readonly { target: Address; callData: Hex }[],
): Promise<void> {
  const args = [calls.map((call) => ({ ...call, allowFailure: false }))] as const
  await sendCall(client, accounts.keeper, { address: multicall3, abi: aggregateAbi, functionName: 'aggregate3', args })
}

const aggregateAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes data)[])',
])

/** The body of POST /api/posting/upgrade. */
export interface UpgradeBody {
  address: Address
  tier: PaidPlan
  txHash: Hex
  payWith: 'tok' | 'usdc'
  market: Market
}

/** Buys a plan and returns what its client would send. */
export async function payForPlan(
  scene: Scene,
  payer: LocalAccount,
  tier: PaidPlan,
  payWith: 'tok' | 'usdc',
): Promise<UpgradeBody> {
  await sendPlanPurchase(scene, payer, tier, payWith)
  return {
    address: payer.address,
    tier,
    txHash: await readLastTransaction(scene.client),
    payWith,
    market: scene.market,
  }
}

/** The newest transaction. The chain mines one block for each. */
export async function readLastTransaction(client: DevnetClient): Promise<Hex> {
  const { transactions } = await client.getBlock()
  const hash = transactions.at(-1)
  if (!hash) throw new Error('The newest block is empty.')
  return hash
}
