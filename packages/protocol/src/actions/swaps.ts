import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { seconds, tokWei, usdcUnits } from '../base/wire.ts'
import { defineAction } from './action.ts'

// Whoever prepares a swap asks the pool and the feed for what is left out.
const fromPool = () => undefined

export const buyTok = defineAction({
  name: 'buy-tok',
  verb: 'Buy TOK',
  title: 'Buy TOK with USDC',
  done: 'Bought TOK',
  explain: 'Buys exactly this much TOK from the pool for at most this much USDC; nothing is bought after the deadline.',
  input: z.strictObject({ market, amountTokWei: tokWei, maxUsdc: usdcUnits, deadline: seconds }),
  contract: 'swapRouter',
  functions: ['multicall(uint256 deadline, bytes[] swap)'],
  swap: 'buy',
  pays: ({ maxUsdc }) => ({ usdc: { amount: maxUsdc, spender: 'swapRouter' } }),
  derive: { maxUsdc: fromPool, deadline: fromPool },
  proofOf: 'tokToken',
  proof: ['Transfer'],
})

export const sellTok = defineAction({
  name: 'sell-tok',
  verb: 'Turn into USDC',
  title: 'Turn TOK into USDC',
  done: 'Turned TOK into USDC',
  explain: 'Sells exactly this much TOK to the pool for at least this much USDC; nothing is sold after the deadline.',
  input: z.strictObject({ market, amountTokWei: tokWei, minUsdc: usdcUnits, deadline: seconds }),
  contract: 'swapRouter',
  functions: ['multicall(uint256 deadline, bytes[] swap)'],
  swap: 'sell',
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  derive: { minUsdc: fromPool, deadline: fromPool },
  proofOf: 'tokToken',
  proof: ['Transfer'],
})
