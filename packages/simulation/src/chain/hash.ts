import { createHash } from 'node:crypto'
import { type Hex, keccak256 } from 'viem'

/** keccak256 of hex digits without 0x. */
export function keccak(digits: string): Hex {
  return `0x${Buffer.from(keccakBytes(Buffer.from(digits, 'hex'))).toString('hex')}`
}

/** keccak256 of bytes. */
export function keccakBytes(bytes: Uint8Array): Uint8Array {
  return keccak256(bytes, 'bytes')
}

/** keccak256 of a text. */
export function keccakText(text: string): Hex {
  return `0x${Buffer.from(keccakBytes(Buffer.from(text, 'utf8'))).toString('hex')}`
}

/** A fast native hash for values that are never compared with the EVM. */
export function quickHash(text: string): Hex {
  return `0x${createHash('sha256').update(text, 'latin1').digest('hex')}`
}
