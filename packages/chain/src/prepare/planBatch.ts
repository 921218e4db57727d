import { fees, type Market } from '@svc/protocol'
import { depositVaultAbi, tokTokenAbi } from '@svc/protocol/abis'
import {
  type AnyAction,
  actions,
  type Cost,
  encodeActionInput,
  listBlockedActions,
  parseActionInput,
  type TaskContext,
  type WalletBalances,
} from '@svc/protocol/actions'
import { computeMissingTok, computeWalletTok, isWithinFeed, listBefore } from '@svc/protocol/internal/actions'
import type { Address } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { type BoundedQuote, quoteSwap, SwapRefusedError } from './quoteSwap.ts'

/** What an action may be paid from. Only `usdc` swaps: it buys the TOK that is missing. */
export const payFroms = ['tok', 'usdc'] as const
export type PayFrom = (typeof payFroms)[number]

/** Where a batch is read and planned. */
export interface PlanPlace {
  provider: Provider
  contracts: MarketAddresses
  market: Market
  from: Address
  block: BlockRef
}

interface Wanted {
  action: AnyAction
  context: TaskContext | null
  cost: Cost
  balances: WalletBalances
  payFrom: PayFrom
}

/** A part of a batch, with its exact input. */
export interface Part {
  action: AnyAction
  input: Record<string, unknown>
}

/** Plans what must happen before an action, at one block. Throws `SwapRefusedError` if TOK is missing and cannot be bought. */
export async function planBefore(
  place: PlanPlace,
  { action, context, cost, balances, payFrom }: Wanted,
): Promise<{ before: Part[]; quote: BoundedQuote | null }> {
  const { provider, contracts, market, from, block } = place
  const { tok, free } = await readMoney(place)
  const needs = { needTokWei: computeWalletTok(cost, balances), tokWei: tok }
  const amountTokWei = action.swap || payFrom === 'tok' ? 0n : computeMissingTok(needs)
  const quote = amountTokWei > 0n ? await quoteSwap(provider, contracts, { side: 'buy', amountTokWei }, block) : null
  const missingUsdc = context ? findMissingDeposit(action, context, from, block.timestamp) : missingForEntry(cost, free)
  const calls = listBefore({
    market,
    ...needs,
    missingUsdc,
    ...(quote && { purchase: { maxUsdc: quote.limitUsdc, deadline: quote.deadline } }),
  })
  return { before: calls.map(({ name, input }) => ({ action: actions[name], input })), quote }
}

async function readMoney({ provider: { client }, contracts, from, block }: PlanPlace) {
  const [tok, free] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { address: contracts.tokToken, abi: tokTokenAbi, functionName: 'balanceOf', args: [from] },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [from] },
    ],
  })
  return { tok, free }
}

/** A new task reserves a part of the deposit, and needs all of an entry deposit free. */
const missingForEntry = ({ reserveUsdc }: Cost, free: bigint) =>
  reserveUsdc > 0n && free < fees.entryDepositUsdc ? fees.entryDepositUsdc - free : 0n

/** How much the deposit lacks for an action on a task, if the wallet itself can top it up. */
function findMissingDeposit(action: AnyAction, context: TaskContext, wallet: Address, now: number): bigint {
  const blocked = listBlockedActions(context, wallet, now).filter((each) => each.action.name === action.name)
  const amounts = blocked.flatMap(({ amount, cure }) => {
    const isOwn = cure?.action === 'top-up' && cure.by?.toLowerCase() === wallet.toLowerCase()
    return amount && isOwn ? [amount.need - amount.have] : []
  })
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}

/**
 * Completes the input of a swap from the pool and the feed: its limit and its deadline, unless they are given. Throws
 * `SwapRefusedError` if it is not offered now, or if the given limit is too far from the feed.
 */
export async function completeSwap(
  { provider, contracts, block }: PlanPlace,
  { action, given, side }: { action: AnyAction; given: Readonly<Record<string, unknown>>; side: 'buy' | 'sell' },
): Promise<{ input: Record<string, unknown>; quote: BoundedQuote }> {
  const name = side === 'buy' ? 'maxUsdc' : 'minUsdc'
  const { amountTokWei, ...rest } = parseActionInput(action, { [name]: '0', deadline: 0, ...given })
  const amount = typeof amountTokWei === 'bigint' ? amountTokWei : 0n
  const found = await quoteSwap(provider, contracts, { side, amountTokWei: amount }, block)
  const limit = rest[name]
  const limitUsdc = given[name] !== undefined && typeof limit === 'bigint' ? limit : found.limitUsdc
  const deadline = given.deadline !== undefined && typeof rest.deadline === 'bigint' ? rest.deadline : found.deadline
  if (!isWithinFeed(side, amount, limitUsdc, found.price)) {
    throw new SwapRefusedError('PRICE_OFF', `${name} is more than 3 % away from the market's price feed.`, {
      hint: `Leave ${name} out, and it is set from the pool.`,
    })
  }
  const input = { ...rest, amountTokWei, [name]: limitUsdc, deadline }
  return { input, quote: { ...found, limitUsdc, deadline } }
}

/** Encodes the input of a part as JSON. */
export const encodePart = ({ action, input }: Part) => encodeActionInput(action, input)
