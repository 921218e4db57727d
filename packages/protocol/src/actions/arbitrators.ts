import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { payee, tokWei } from '../base/wire.ts'
import { defineAction } from './action.ts'

/** Adds to a bond that is already there. */
export const registerArbitrator = defineAction({
  name: 'register-arbitrator',
  verb: 'Become arbitrator',
  title: 'Become an arbitrator',
  done: 'Registered as an arbitrator',
  explain:
    'Bonds TOK as an arbitrator, so that you can accept cases; a judge that stays silent or is overturned loses a part of its bond, which is burnt.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'arbitration',
  functions: ['register(uint256 amountTokWei)'],
  withPermit: 'registerWithPermit(uint256 amountTokWei, TokenPermit permit)',
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  proof: ['ArbitratorRegistered'],
})

export const requestUnbond = defineAction({
  name: 'request-unbond',
  verb: 'Stop arbitrating',
  title: 'Stop being an arbitrator',
  done: 'Requested to stop being an arbitrator',
  explain: 'Stops new cases; your bond is free after seven days and the end of your last case.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['requestUnbond()'],
  deadline: 'unbond',
  proof: ['UnbondRequested'],
})

export const unbond = defineAction({
  name: 'unbond',
  verb: 'Withdraw bond',
  title: 'Withdraw your bond',
  done: 'Withdrew the bond',
  explain: 'Pays your bond back once the seven days are over.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['unbond()'],
  proof: ['Unbonded'],
})

export const withdrawAward = defineAction({
  name: 'withdraw-award',
  verb: 'Withdraw award',
  title: 'Withdraw an arbitration award',
  done: 'Withdrew the award',
  explain: "Pays out TOK from a dispute that could not be sent to you: a part of the poster's stake.",
  input: z.strictObject({ market, to: payee }),
  contract: 'arbitration',
  functions: ['withdraw(address to)'],
  proof: ['Withdrawn'],
})
