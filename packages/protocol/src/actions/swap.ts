import { type Address, decodeFunctionData, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { bps } from '../money/amounts.ts'
import type { ActionContracts } from './action.ts'

const routerAbi = /*#__PURE__*/ parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96)) payable returns (uint256 amountIn)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256 amountOut)',
])

/** What SwapRouter02 reads as "the caller". The calldata names no wallet, so it can pay no other one. */
const caller: Address = numberToHex(1, { size: 20 })

/**
 * Encodes a purchase or a sale of TOK as the one call to the router. Exact output when buying: no TOK beyond the amount, and USDC that
 * is not needed never leaves the wallet. Exact input when selling: no rest of TOK.
 */
export function encodeSwap(side: 'buy' | 'sell', input: Record<string, unknown>, contracts: ActionContracts): Hex {
  const { tokToken: tok, usdc, swap: place } = contracts
  if (!place) throw new TypeError('This deployment has no pool to swap in.')
  const read = (name: string): bigint => {
    const value = input[name]
    if (typeof value !== 'bigint') throw new TypeError(`A swap needs ${name}.`)
    return value
  }
  const [amount, deadline] = [read('amountTokWei'), read('deadline')]
  const common = { fee: place.fee, recipient: caller, sqrtPriceLimitX96: 0n }
  const swap =
    side === 'buy'
      ? encodeFunctionData({
          abi: routerAbi,
          functionName: 'exactOutputSingle',
          args: [{ ...common, tokenIn: usdc, tokenOut: tok, amountOut: amount, amountInMaximum: read('maxUsdc') }],
        })
      : encodeFunctionData({
          abi: routerAbi,
          functionName: 'exactInputSingle',
          args: [{ ...common, tokenIn: tok, tokenOut: usdc, amountIn: amount, amountOutMinimum: read('minUsdc') }],
        })
  // The router has no deadline but this one.
  return encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [deadline, [swap]] })
}

/** Decodes a call to the router. Null unless it is exactly one swap of this side between USDC and TOK, for the caller, in this pool. */
export function decodeSwap(side: 'buy' | 'sell', data: Hex, contracts: ActionContracts): Record<string, bigint> | null {
  if (!contracts.swap) return null
  const outer = decodeFunctionData({ abi: routerAbi, data })
  if (outer.functionName !== 'multicall' || outer.args[1].length !== 1) return null
  const [deadline, [inner = '0x']] = outer.args
  const swap = decodeFunctionData({ abi: routerAbi, data: inner })
  let input: Record<string, bigint> | null = null
  if (side === 'buy' && swap.functionName === 'exactOutputSingle') {
    const [{ amountOut, amountInMaximum }] = swap.args
    input = { amountTokWei: amountOut, maxUsdc: amountInMaximum, deadline }
  }
  if (side === 'sell' && swap.functionName === 'exactInputSingle') {
    const [{ amountIn, amountOutMinimum }] = swap.args
    input = { amountTokWei: amountIn, minUsdc: amountOutMinimum, deadline }
  }
  // What is not in the input is fixed: encoding again must give the same bytes.
  return input && encodeSwap(side, input, contracts) === data.toLowerCase() ? input : null
}

/** The limits of swaps. An operator may lower them, never raise them. */
export const swapLimits = {
  /** How much worse than the quote a swap may be, in basis points, while a sandwich of it would not pay. */
  slippageBps: 100n,
  /** The same for a swap that moves the price by twice the fee or more: an attacker would take what it is given. */
  largeSlippageBps: 30n,
  /** How far a quote and a limit may be from the price feed, with the fee of the pool and the move of its price. */
  feedBps: 300n,
  /** For how many seconds a swap may be included. */
  seconds: 300,
} as const

/** Computes what TOK is worth in USDC units at a price with the 8 decimals of the feed. */
export const computeFairUsdc = (tokWei: bigint, price: bigint): bigint => (tokWei * price) / 10n ** 20n

/** What a pool offers for an amount of TOK, and the price that decides whether it is taken. */
export interface SwapQuote {
  side: 'buy' | 'sell'
  amountTokWei: bigint
  quoteUsdc: bigint
  /** The price of the feed, with 8 decimals. */
  price: bigint
  /** How far the swap moves the price of the pool, in basis points. */
  moveBps: bigint
  /** The fee of the pool, in hundredths of a basis point. */
  fee: number
}

/** The limit of a swap in USDC units; or how far the quote is from the feed, in basis points, if it may not be taken. */
export type BoundedSwap =
  | { limitUsdc: bigint; fairUsdc: bigint; offBps: bigint; isOff: false }
  | { offBps: bigint; isOff: true }

/**
 * Bounds a swap: the most USDC that the TOK may cost, or the least that it must bring. Refuses a quote that is too far from the feed
 * either way: a pool that is far too cheap is as suspicious as one that is too dear, because one of the two prices is wrong.
 */
export function boundSwap({ side, amountTokWei, quoteUsdc, price, moveBps, fee }: SwapQuote): BoundedSwap {
  const fairUsdc = computeFairUsdc(amountTokWei, price)
  if (fairUsdc === 0n || quoteUsdc === 0n) return { offBps: bps, isOff: true }
  const offBps = ((quoteUsdc - fairUsdc) * bps) / fairUsdc
  const { feedBps, slippageBps, largeSlippageBps } = swapLimits
  // Exact, because a quotient would round towards zero.
  if (abs(quoteUsdc - fairUsdc) * bps > fairUsdc * feedBps) return { offBps, isOff: true }
  const slippage = moveBps * 100n < 2n * BigInt(fee) ? slippageBps : largeSlippageBps
  const limitUsdc =
    side === 'buy'
      ? min((quoteUsdc * (bps + slippage)) / bps, (fairUsdc * (bps + feedBps)) / bps)
      : max(divideUp(quoteUsdc * (bps - slippage), bps), divideUp(fairUsdc * (bps - feedBps), bps))
  return { limitUsdc, fairUsdc, offBps, isOff: false }
}

/** Whether a limit is within the distance from the feed that the protocol allows. A page checks it with a price that it read itself. */
export function isWithinFeed(side: 'buy' | 'sell', amountTokWei: bigint, limitUsdc: bigint, price: bigint): boolean {
  const fair = computeFairUsdc(amountTokWei, price)
  const { feedBps } = swapLimits
  return side === 'buy' ? limitUsdc * bps <= fair * (bps + feedBps) : limitUsdc * bps >= fair * (bps - feedBps)
}

const abs = (value: bigint) => (value < 0n ? -value : value)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const divideUp = (a: bigint, b: bigint) => (a + b - 1n) / b
