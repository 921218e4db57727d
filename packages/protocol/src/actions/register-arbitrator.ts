import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { tokWei } from '../wire.ts'

/** Adds to a bond that is already there, and restarts its age. */
export const registerArbitrator = defineAction({
  name: 'register-arbitrator',
  verb: 'Become arbitrator',
  title: 'Become an arbitrator',
  done: 'Registered as an arbitrator',
  explain:
    'Bonds TOK as an arbitrator, at least 10,000 TOK in total; you can be drawn seven days later, and a judge that stays silent or is overturned loses part of the bond.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'arbitration',
  functions: ['register(uint256 amountTokWei)'],
  withPermit: 'registerWithPermit(uint256 amountTokWei, TokenPermit permit)',
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  proof: ['ArbitratorRegistered'],
})
