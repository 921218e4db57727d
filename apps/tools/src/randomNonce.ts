import { randomBytes } from 'node:crypto'
import { bytesToBigInt } from 'viem'

/** Generates a random nonce of 128 bits, so a wallet practically never repeats one. */
export const randomNonce = (): bigint => bytesToBigInt(randomBytes(16))
