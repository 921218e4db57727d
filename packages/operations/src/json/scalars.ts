import * as z from 'zod'

/** An amount in the smallest unit of its token, as a decimal string. */
export const amountText = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/)

/** An address, checksummed. */
export const addressText = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** 32 bytes in hex. */
export const hashText = z.string().regex(/^0x[0-9a-f]{64}$/)

/** A task id on the wire. */
export const taskIdText = z.string().regex(/^v2:(?:standard|micro):[1-9][0-9]{0,77}$/)

/** A time in unix seconds. */
export const moment = z.int().min(0)

/** A time in unix seconds, or null if it is not set. */
export const momentOrNull = z.nullable(moment)

/** A number of things, or an index. */
export const count = z.int().min(0)

/** One block of the chain. */
export const blockJson = z.object({
  number: count.describe('Block number.'),
  hash: hashText.describe('Block hash.'),
  timestamp: moment.describe('Block time, in unix seconds.'),
})

/** Zero stands for "not set" in the records; null does on the wire. */
export const orNull = (seconds: number): number | null => (seconds === 0 ? null : seconds)
