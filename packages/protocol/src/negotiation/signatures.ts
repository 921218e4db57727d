import { type Address, type Hex, isAddressEqual, recoverAddress } from 'viem'

/** The question whether a wallet signed a hash. */
export interface SignatureCheck {
  address: Address
  hash: Hex
  signature: Hex
}

export type VerifySignature = (check: SignatureCheck) => Promise<boolean>

/**
 * Whether the key of `address` signed. Refuses every spelling but one (65 bytes, lower case, low s, v of 27 or 28), so that
 * nobody can change a signature into another good one.
 */
export async function verifyKeySignature(check: SignatureCheck): Promise<boolean> {
  return onlySpelling(check.signature) && (await recovers(check))
}

/**
 * Key signatures, and where they do not fit those of contract wallets (ERC-1271, ERC-6492), which only a chain can check:
 * `ask` may be `verifyHash` of a viem client. How many spellings such a signature has is the wallet's affair.
 */
export function orContractWallet(ask: VerifySignature): VerifySignature {
  return async (check) => {
    if (onlySpelling(check.signature)) return (await recovers(check)) || ask(check)
    // Some chains' checks would take a key's signature in another spelling.
    return !(await recovers(check)) && ask(check)
  }
}

async function recovers({ address, hash, signature }: SignatureCheck): Promise<boolean> {
  if (signature.length !== keySignatureLength) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address)
  } catch {
    // Numbers that are no point of the curve: nobody signed this.
    return false
  }
}

function onlySpelling(signature: Hex): boolean {
  return /^0x[0-9a-f]{128}(?:1b|1c)$/.test(signature) && BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder
}

const keySignatureLength = 2 + 2 * 65
/** Half the order of secp256k1: for each s there is a second good one above it. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
