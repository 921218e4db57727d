import { type Address, type Hex, isAddressEqual, recoverAddress } from 'viem'

/** A signature of a wallet over a hash, to be verified. */
export interface SignatureCheck {
  address: Address
  hash: Hex
  signature: Hex
}

export type VerifySignature = (check: SignatureCheck) => Promise<boolean>

/**
 * Verifies a signature by the key of `address`. Accepts only the canonical form (65 bytes, lower case, low s, v 27 or 28), so
 * that nobody can turn a signature into another valid one.
 *
 * @example
 * ```ts
 * await verifyKeySignature({ address, hash, signature })
 * ```
 */
export async function verifyKeySignature(check: SignatureCheck): Promise<boolean> {
  return isCanonicalSignature(check.signature) && (await recoversTo(check))
}

/**
 * Creates a verifier for signatures of keys and of contract wallets (ERC-1271, ERC-6492). Only the chain can verify the
 * latter: pass `verifyHash` of a viem client. A contract wallet decides itself which forms of a signature it accepts.
 *
 * @example
 * ```ts
 * const verifySignature = createSignatureVerifier((check) => client.verifyHash(check))
 * ```
 */
export function createSignatureVerifier(verifyOnChain: VerifySignature): VerifySignature {
  return async (check) => {
    if (isCanonicalSignature(check.signature)) return (await recoversTo(check)) || verifyOnChain(check)
    // A check on chain could accept a key's signature in a non-canonical form.
    return !(await recoversTo(check)) && verifyOnChain(check)
  }
}

/**
 * Wraps a verifier so that it remembers its last 10,000 answers. A conversation is folded often, and its signatures do not change.
 *
 * @example
 * ```ts
 * const verifySignature = rememberSignatures(verifyKeySignature)
 * ```
 */
export function rememberSignatures(verify: VerifySignature): VerifySignature {
  const known = new Map<string, Promise<boolean>>()
  return (check) => {
    const key = `${check.address} ${check.hash} ${check.signature}`.toLowerCase()
    const answer = known.get(key) ?? verify(check)
    if (known.size >= maxRemembered) known.clear()
    known.set(key, answer)
    answer.catch(() => known.delete(key))
    return answer
  }
}

const maxRemembered = 10_000

async function recoversTo({ address, hash, signature }: SignatureCheck): Promise<boolean> {
  if (signature.length !== keySignatureLength) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address)
  } catch {
    // Not a point on the curve, so not a signature.
    return false
  }
}

function isCanonicalSignature(signature: Hex): boolean {
  return /^0x[0-9a-f]{128}(?:1b|1c)$/.test(signature) && BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder
}

const keySignatureLength = 2 + 2 * 65
/** Half the order of secp256k1. For each low s there is a second valid one above it. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
