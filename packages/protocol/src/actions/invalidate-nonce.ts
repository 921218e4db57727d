import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { nonce } from '../wire.ts'

export const invalidateNonce = defineAction({
  name: 'invalidate-nonce',
  verb: 'Revoke signature',
  title: 'Revoke an unused signature',
  done: 'Revoked the signature',
  explain: 'Makes a signature of yours invalid that nobody has used yet.',
  input: z.strictObject({ market, nonce }),
  contract: 'taskRegistry',
  functions: ['invalidateNonce(uint256 nonce)'],
  proof: ['NonceInvalidated'],
})
