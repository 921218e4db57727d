import { randomBytes } from 'node:crypto'
import { bytesToBigInt } from 'viem'

/** A nonce that its wallet has never used, for all practical purposes. */
export const randomNonce = (): bigint => bytesToBigInt(randomBytes(16))
