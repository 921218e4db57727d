import type { Deployments } from '@svc/chain'
import {
  accounts,
  createScene,
  type Devnet,
  type DevnetClient,
  mockFeed,
  multicall3,
  sendApprovals,
  sendTokens,
} from '@svc/devnet'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildStorageReceiptTypedData,
  computeSettlementDigest,
  type DisputePhase,
  disputePhases,
  type Market,
  markets,
  taskStates,
} from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
} from '@svc/protocol/abis'
import { decodePlanId, planPrices } from '@svc/protocol/internal/money'
import { type Abi, type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, parseGwei } from 'viem'
import { mockFeedAbi } from '../../../devnet/src/abis/mocks.ts'
import type { SimPlaces } from './places.ts'
import type { SimCall } from './suite/calls.ts'
import type { SimReceipt, SimSignature } from './suite/registry.ts'
import type { TaskEntry } from './suite/state.ts'
import type { SimWallet } from './wallets.ts'

/** A log of the real contracts. */
interface RealLog {
  address: Hex
  topics: Hex[]
  data: Hex
  logIndex: Hex
}

/** The receipt of a transaction on the real chain. */
export interface RealReceipt {
  status: Hex
  logs: RealLog[]
}

const feedAnswer = 250_000n
const abis: Record<SimCall['contract'], Abi> = {
  taskRegistry: taskRegistryAbi,
  arbitration: arbitrationAbi,
  depositVault: depositVaultAbi,
  escrowVault: escrowVaultAbi,
  stakingVault: stakingVaultAbi,
  paymentGateway: paymentGatewayAbi,
}

/** Converts the addresses of a devnet to those of a simulation. */
export function toSimPlaces({ chainId, shared, markets: own }: Deployments): SimPlaces {
  const { tokToken: tok, usdc, treasury, finalCourt, timelock: owner, pricingPolicy } = shared
  return {
    chainId,
    tok,
    usdc,
    treasury,
    finalCourt,
    owner,
    guardian: accounts.guardian.address,
    multicall3,
    markets: { standard: { ...own.standard, pricingPolicy }, micro: { ...own.micro, pricingPolicy } },
  }
}

/**
 * Lists the accounts of a devnet, and the contracts that cannot pay themselves. The payouts of an escrow vault that judges wait
 * in the vault, and what arbitration would pay to itself as a party waits there.
 */
export function listSimWallets({ markets: own }: Deployments): SimWallet[] {
  const { guardian: _g, treasury: _t, deployer: _d, keeper: _k, newcomer: _n, court: _c, ...people } = accounts
  const signing = Object.values(people).map(({ address }, index) => ({
    address,
    signs: true,
    judges: index % 2 === 1,
    stakes: index % 4 === 0,
  }))
  const contracts = Object.values(own).flatMap(({ escrowVault, arbitration }) => [
    { address: escrowVault, signs: false, judges: true, stakes: false },
    { address: arbitration, signs: false, judges: false, stakes: false },
  ])
  return [...signing, ...contracts]
}

/** Lets every wallet send without a signature, and gives each money and allowances. */
export async function fundSimWallets({ client, deployments }: Devnet, wallets: readonly SimWallet[]): Promise<void> {
  await requestRpc(client, 'anvil_autoImpersonateAccount', [true])
  const { timelock, finalCourt } = deployments.shared
  for (const address of [...wallets.map((wallet) => wallet.address), timelock, finalCourt]) {
    await client.setBalance({ address, value: 10n ** 24n })
  }
  for (const { address, signs } of wallets) {
    await sendTokens(client, deployments, address, { tok: 20_000_000n * 10n ** 18n, usdc: 1_000_000n * 10n ** 6n })
    for (const market of markets) {
      const scene = createScene(client, deployments, market)
      const account = Object.values(accounts).find((each) => each.address === address)
      if (signs && account) await sendApprovals(scene, account)
      else await approveAs(client, scene.contracts, address)
    }
  }
}

async function approveAs(
  client: DevnetClient,
  contracts: { tokToken: Address; usdc: Address; paymentGateway: Address; depositVault: Address },
  from: Address,
): Promise<void> {
  const pairs = [
    [contracts.tokToken, contracts.paymentGateway],
    [contracts.usdc, contracts.depositVault],
    [contracts.usdc, contracts.paymentGateway],
  ] as const
  for (const [to, spender] of pairs) {
    const data = encodeFunctionData({ abi: tokTokenAbi, functionName: 'approve', args: [spender, maxUint256] })
    await requestRpc(client, 'eth_sendTransaction', [{ from, to, data }])
  }
}

/** Calls a method of the node that viem has no type for. */
const requestRpc = <T>(client: DevnetClient, method: string, params: readonly unknown[]): Promise<T> =>
  client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: T }>({ method, params })

/** Mines one block with these calls in this order, at this time, and returns their receipts. */
export async function mineOnDevnet(
  { client, deployments }: Devnet,
  timestamp: number,
  calls: readonly { market: Market; call: SimCall }[],
): Promise<RealReceipt[]> {
  // Refresh the price, because a jump in time makes it stale.
  const feed = encodeFunctionData({
    abi: mockFeedAbi,
    functionName: 'set',
    args: [feedAnswer, BigInt(timestamp), BigInt(timestamp)],
  })
  const sends = [
    { from: accounts.keeper.address, to: mockFeed, data: feed },
    ...calls.map(({ market, call }) => ({
      from: call.from,
      to: deployments.markets[market][call.contract],
      data: encodeFunctionData({ abi: abis[call.contract], functionName: call.name as string, args: call.args as [] }),
    })),
  ]
  const ask = <T>(method: string, params: readonly unknown[]) => requestRpc<T>(client, method, params)
  await client.setAutomine(false)
  const hashes: Hex[] = []
  for (const [index, each] of sends.entries()) {
    // Anvil orders by gas price.
    const gasPrice = numberToHex(parseGwei('100') - BigInt(index))
    hashes.push(await ask('eth_sendTransaction', [{ ...each, gas: numberToHex(5_000_000), gasPrice }]))
  }
  await ask('evm_mine', [{ timestamp: numberToHex(timestamp) }])
  return Promise.all(hashes.slice(1).map((hash) => ask<RealReceipt>('eth_getTransactionReceipt', [hash])))
}

/** Completes a call for the real chain: with valid signatures, and a price from the oracle. */
export async function signCall(
  deployments: Deployments,
  market: Market,
  call: SimCall,
  now: TaskNow,
): Promise<SimCall> {
  const { chainId, shared, markets: own } = deployments
  const context = { chainId, market, taskRegistry: own[market].taskRegistry, asset: shared.tokToken }
  const findAccount = (wallet: Address) => {
    const account = Object.values(accounts).find(({ address }) => address === wallet)
    if (!account) throw new Error(`${wallet} cannot sign.`)
    return account
  }
  if (call.name === 'create') {
    const [terms, worker, a, b] = call.args
    const accept = async (party: Address, { nonce, expiry }: SimSignature) => ({
      nonce,
      expiry,
      data: await findAccount(party).signTypedData(
        buildAcceptanceTypedData(context, { terms, worker, party, nonce, expiry }),
      ),
    })
    return { ...call, args: [terms, worker, await accept(terms.poster, a), await accept(worker, b)] }
  }
  if (call.name === 'claimWithPermit') {
    const [taskId, digest, { nonce, expiry }] = call.args
    const message = { taskId, settlementDigest: digest, worker: call.from, nonce, expiry }
    const { poster } = now(market, taskId)
    const data = await findAccount(poster).signTypedData(buildClaimPermitTypedData(context, message))
    return { ...call, args: [taskId, digest, { nonce, expiry, data }] }
  }
  if (call.name === 'mutualCancel') {
    const [taskId, workerBps, a, b] = call.args
    const { poster, worker, terms, current, state, reviewEnd, phase } = now(market, taskId)
    if (!worker || !terms) return call
    const digest = computeSettlementDigest(context, terms, worker)
    const agree = async (party: Address, { nonce, expiry }: SimSignature) => {
      const message = {
        taskId,
        settlementDigest: digest,
        milestone: BigInt(current),
        state: taskStates.indexOf(state),
        reviewEnd: BigInt(reviewEnd),
        disputePhase: disputePhases.indexOf(phase),
        workerBps,
        party,
        nonce,
        expiry,
      }
      return {
        nonce,
        expiry,
        data: await findAccount(party).signTypedData(buildMutualCancelTypedData(context, message)),
      }
    }
    return { ...call, args: [taskId, workerBps, await agree(poster, a), await agree(worker, b)] }
  }
  const sign = async (taskId: bigint, proofHash: Hex, receipt: SimReceipt): Promise<SimReceipt> => {
    const { worker, store, current, revisions } = now(market, taskId)
    if (receipt.signature === '0x' || !worker || !store) return receipt
    const { size, until } = receipt
    const place = { taskId, milestone: BigInt(current), revision: BigInt(revisions), worker }
    const message = { ...place, proofHash, size, until }
    const signature = await findAccount(store).signTypedData(buildStorageReceiptTypedData(context, message))
    return { size, until, signature }
  }
  if (call.name === 'markDelivered') {
    const [taskId, milestone, hash, receipt] = call.args
    return { ...call, args: [taskId, milestone, hash, await sign(taskId, hash, receipt)] }
  }
  if (call.name === 'buyPlan' && call.args[2] === shared.tokToken) {
    const [planId, beneficiary, asset] = call.args
    const { listPriceUsd, tokDiscountBps } = planPrices[decodePlanId(planId) ?? 'basic']
    const usd = (listPriceUsd * BigInt(10_000 - tokDiscountBps)) / 10_000n
    return { ...call, args: [planId, beneficiary, asset, (usd * 10n ** 20n) / feedAnswer] }
  }
  return call
}

/** Reads a task, and the phase of its dispute, at the time of its call. */
export type TaskNow = (market: Market, taskId: bigint) => Readonly<TaskEntry> & { phase: DisputePhase }
