import * as z from 'zod/mini'

/** An amount in the smallest unit of its token, as a decimal string. */
export const amountText = z.string().check(z.regex(/^(?:0|[1-9][0-9]{0,77})$/))

/** An address, checksummed. */
export const addressText = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** 32 bytes in hex. */
export const hashText = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

/** A task id on the wire. */
export const taskIdText = z.string().check(z.regex(/^v2:(?:standard|micro):[1-9][0-9]{0,77}$/))

/** A moment in unix seconds. */
export const moment = z.int().check(z.minimum(0))

/** A moment in unix seconds, or null where it is not set. */
export const momentOrNull = z.nullable(moment)

/** A number of something. */
export const count = z.int().check(z.minimum(0))

/** Zero stands for "not set" in the records; null does on the wire. */
export const orNull = (seconds: number): number | null => (seconds === 0 ? null : seconds)
