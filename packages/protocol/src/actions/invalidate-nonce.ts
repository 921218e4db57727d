import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { nonce } from '../wire.ts'

export const invalidateNonce = defineAction({
  name: 'invalidate-nonce',
  summary: 'Take back a signature of yours that nobody has used yet.',
  input: z.strictObject({ market, nonce }),
  contract: 'taskRegistry',
  functions: ['invalidateNonce(uint256 nonce)'],
  proof: ['NonceInvalidated'],
})
