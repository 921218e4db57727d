import { formatUnits } from 'viem'
import * as z from 'zod'
import { momentOrNull } from './scalars.ts'

/** What a TOK is worth, or why there is no price. */
export const tokPriceJson = z.object({
  usdPerTok: z
    .nullable(z.string().regex(/^[0-9]+(?:\.[0-9]{1,8})?$/))
    .describe('USD for one TOK, as a decimal; null if there is no price to use.'),
  updatedAt: momentOrNull.describe(
    'When the oracle got this price, in unix seconds; null if there is no price to use.',
  ),
  missing: z
    .nullable(z.enum(['NO_ORACLE', 'TOO_OLD', 'UNAVAILABLE']))
    .describe(
      'Why there is no price: the market has no oracle, its price is too old, or it gives none now. Null if there is one.',
    ),
})

const oracleDecimals = 8

/** A price of the oracle as a decimal. */
export const formatUsdPerTok = (usd: bigint): string => formatUnits(usd, oracleDecimals)
