import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { tokWei } from '../wire.ts'

/** Adds to a bond that is already there. A silent arbitrator loses part of it. */
export const registerArbitrator = defineAction({
  name: 'register-arbitrator',
  summary: 'Bond TOK as an arbitrator: at least 10,000 TOK in all.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'arbitration',
  functions: ['register(uint256 amountTokWei)'],
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  proof: ['ArbitratorRegistered'],
})
