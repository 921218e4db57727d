import { formatAmount, SvcError } from '@svc/protocol'
import { boundSwap, computeFairUsdc, swapLimits } from '@svc/protocol/internal/actions'
import type { SwapPlace } from '@svc/protocol/internal/base'
import { erc20Abi, parseAbi } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { getTokPrice } from '../reads/getTokPrice.ts'

// The quoter changes nothing: it reverts its own swap. `view` lets it be read.
const quoterAbi = parseAbi([
  'function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96)) view returns (uint256 amount, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96)) view returns (uint256 amount, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])
const poolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
])

/** Why TOK is not bought or sold now. */
export type SwapRefusal = 'NO_POOL' | 'NO_LIQUIDITY' | 'NO_PRICE' | 'PRICE_OFF'

/** TOK is not bought or sold now. Nothing keeps a wallet from paying in TOK. */
export class SwapRefusedError extends SvcError<SwapRefusal> {
  override name = 'SwapRefusedError'
}

/** A swap that the limits of the protocol allow. */
export interface BoundedQuote {
  side: 'buy' | 'sell'
  amountTokWei: bigint
  /** What the pool asks or offers at this block. */
  quoteUsdc: bigint
  /** The most that it may cost, or the least that it must bring. */
  limitUsdc: bigint
  /** What it is worth at the price of the feed, which has 8 decimals. */
  fairUsdc: bigint
  price: bigint
  /** How far the quote is from the feed, in basis points. */
  offBps: bigint
  /** The last moment, in unix seconds. */
  deadline: bigint
}

const hint = 'You can still pay in TOK.'

/** Asks the pool and the price feed at one block, and bounds the swap. Throws `SwapRefusedError` if it is not offered. */
export async function quoteSwap(
  provider: Provider,
  contracts: MarketAddresses,
  { side, amountTokWei }: Pick<BoundedQuote, 'side' | 'amountTokWei'>,
  block: BlockRef,
): Promise<BoundedQuote> {
  const { swap } = contracts
  if (!swap) throw new SwapRefusedError('NO_POOL', 'This market names no pool where TOK is traded for USDC.', { hint })
  const [{ price }, found] = await Promise.all([
    getTokPrice(provider, contracts, block),
    readQuote(provider, contracts, swap, { side, amountTokWei }, block),
  ])
  if (price.usd === null)
    throw new SwapRefusedError('NO_PRICE', 'There is no current dollar price of TOK, so nothing is swapped.', { hint })
  if (!found) {
    const verb = side === 'buy' ? 'sell' : 'buy'
    throw new SwapRefusedError('NO_LIQUIDITY', `The pool cannot ${verb} ${formatAmount(amountTokWei, 'tok')} now.`, {
      hint: side === 'buy' ? hint : 'Try again later, or with less.',
    })
  }
  if (computeFairUsdc(amountTokWei, price.usd) === 0n)
    throw new SwapRefusedError('NO_LIQUIDITY', `${formatAmount(amountTokWei, 'tok')} is too little to swap.`)
  const { quoteUsdc, moveBps } = found
  const bound = boundSwap({ side, amountTokWei, quoteUsdc, price: price.usd, moveBps, fee: swap.fee })
  if (bound.isOff) {
    const off = formatPercent(bound.offBps < 0n ? -bound.offBps : bound.offBps)
    throw new SwapRefusedError(
      'PRICE_OFF',
      `The pool's price is ${off} away from the market's price feed; the limit is ${formatPercent(swapLimits.feedBps)}.`,
      { hint: `Try again later. ${side === 'buy' ? hint : ''}`.trim() },
    )
  }
  const { limitUsdc, fairUsdc, offBps } = bound
  const deadline = BigInt(block.timestamp + swapLimits.seconds)
  return { side, amountTokWei, quoteUsdc, limitUsdc, fairUsdc, price: price.usd, offBps, deadline }
}

const formatPercent = (bps: bigint) => `${Number(bps) / 100} %`

/** What the pool asks or offers, and how far that moves its price; null if it has too little, or does not exist. */
async function readQuote(
  { client }: Provider,
  { tokToken, usdc }: MarketAddresses,
  { quoter, pool, fee }: SwapPlace,
  { side, amountTokWei }: Pick<BoundedQuote, 'side' | 'amountTokWei'>,
  { number: blockNumber }: BlockRef,
) {
  const common = { fee, sqrtPriceLimitX96: 0n }
  const [control, slot, quote] = await client.multicall({
    allowFailure: true,
    blockNumber,
    contracts: [
      { address: tokToken, abi: erc20Abi, functionName: 'totalSupply' },
      { address: pool, abi: poolAbi, functionName: 'slot0' },
      side === 'buy'
        ? {
            address: quoter,
            abi: quoterAbi,
            functionName: 'quoteExactOutputSingle',
            args: [{ ...common, tokenIn: usdc, tokenOut: tokToken, amount: amountTokWei }],
          }
        : {
            address: quoter,
            abi: quoterAbi,
            functionName: 'quoteExactInputSingle',
            args: [{ ...common, tokenIn: tokToken, tokenOut: usdc, amountIn: amountTokWei }],
          },
    ],
  })
  // viem reports a provider that fails like a call that fails. The first call never does.
  if (control.status === 'failure') throw control.error
  if (slot.status === 'failure' || quote.status === 'failure') return null
  const [[before], [quoteUsdc, after]] = [slot.result, quote.result]
  const [low, high] = before < after ? [before, after] : [after, before]
  const moveBps = low === 0n ? 10_000n : (high * high * 10_000n) / (low * low) - 10_000n
  return { quoteUsdc, moveBps }
}
