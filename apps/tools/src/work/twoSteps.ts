import { SvcError } from '@svc/protocol'
import type { WalletSigning } from '@svc/work'
import type { Hex, TypedDataDefinition } from 'viem'
import { z } from 'zod'
import { randomNonce } from '../randomNonce.ts'
import { toTypedDataJson } from '../toTypedDataJson.ts'

/** What a wallet signed elsewhere: the nonce and the expiry of the first call, and the signature. */
export const walletSignature = z
  .strictObject({
    nonce: z
      .string()
      .regex(/^\d{1,78}$/, 'not a nonce')
      .describe('Nonce.'),
    expiry: z
      .string()
      .regex(/^\d{1,12}$/, 'not a time')
      .describe('Expiry.'),
    data: z
      .string()
      .regex(/^0x(?:[0-9a-fA-F]{2}){65,4096}$/, 'not a signature')
      .describe('Signature.'),
  })
  .describe("Second call: nonce and expiry of the first, and the wallet's signature.")

/** Thrown where a wallet must sign: the first of two calls ends here. */
class SignatureRequired extends SvcError<'SIGNATURE_REQUIRED'> {
  override name = 'SignatureRequired'
  readonly typedData: Record<string, unknown>

  constructor(typedData: TypedDataDefinition) {
    super('SIGNATURE_REQUIRED', 'The wallet must sign.')
    this.typedData = toTypedDataJson(typedData as Parameters<typeof toTypedDataJson>[0])
  }
}

/**
 * Runs what needs a signature of the wallet, which this server cannot give: the first call returns what to sign, the second one has
 * the signature.
 */
export async function runTwoSteps<T extends object>(
  given: z.output<typeof walletSignature> | undefined,
  validSeconds: number,
  now: number,
  run: (signing: WalletSigning) => Promise<T>,
): Promise<T | { typedData: Record<string, unknown>; signature: { nonce: string; expiry: string }; nextStep: string }> {
  const nonce = given ? BigInt(given.nonce) : randomNonce()
  const expiry = given ? BigInt(given.expiry) : BigInt(now + validSeconds)
  try {
    return await run({
      nonce,
      expiry,
      signTypedData: async (typedData) => {
        if (!given) throw new SignatureRequired(typedData)
        return `0x${given.data.slice(2).toLowerCase()}` as Hex
      },
    })
  } catch (error) {
    if (!(error instanceof SignatureRequired)) throw error
    return {
      typedData: error.typedData,
      signature: { nonce: String(nonce), expiry: String(expiry) },
      nextStep:
        'Nothing was sent. Sign typedData with the wallet tool, then repeat the call with signature {nonce, expiry, data}.',
    }
  }
}
