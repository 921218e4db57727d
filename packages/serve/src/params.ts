import { InvalidTaskIdError, limits, type Market, markets, parseTaskId, type TaskId } from '@svc/protocol'
import type { ApiErrorCode } from '@svc/protocol/http'
import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'
import { HttpError } from './errors.ts'

/** What a schema of a parameter must be able to do: describe itself and parse. */
export type Schema = z.core.$ZodType
export type Shape = Readonly<Record<string, Schema>>
export type Parsed<S extends Shape> = { [Name in keyof S]: z.output<S[Name]> }

const oneMarket = z.enum(markets, `market must be ${markets.join(' or ')}`)

/** Parameters that several routes share. What a message says is what the client reads. */
export const market = oneMarket.default('standard').describe('The market; the two are never merged.')

/** For requests whose task id names the market already. */
export const givenMarket = oneMarket.optional().describe('When given, it must be the market of the id.')

const whole = (words: string, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, words)
    .transform(Number)
    .pipe(z.int().min(0).max(max))

export const limit = z
  .string()
  .regex(/^\d{1,3}$/, `limit must be a whole number from ${limits.list.min} to ${limits.list.max}`)
  .transform(Number)
  .pipe(
    z
      .int()
      .min(limits.list.min, `limit must be at least ${limits.list.min}`)
      .max(limits.list.max, `limit must be at most ${limits.list.max}`),
  )
  .default(limits.list.default)
  .describe('How many at most.')

export const address = z
  .string('a wallet address is required: 0x and 40 hex digits')
  .regex(/^0x[0-9a-fA-F]{40}$/, 'address must be a wallet address: 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))
  .describe('A wallet address, in any case.')

export const txHash = z
  .string('a transaction hash is required: 0x and 64 hex digits')
  .regex(/^0x[0-9a-fA-F]{64}$/, 'txHash must be a transaction hash: 0x and 64 hex digits')
  .transform((text) => text.toLowerCase() as Hex)
  .describe('The hash of a transaction that has been sent.')

export const minBlock = whole('minBlock must be a block number', Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('Wait, two seconds at most, until this block is served: for a page that just sent a transaction.')

const cursor = z
  .string()
  .max(40)
  .transform((text, context): bigint => {
    const digits = Buffer.from(text, 'base64url').toString('latin1')
    if (/^[1-9][0-9]{0,18}$/.test(digits)) return BigInt(digits)
    context.addIssue({ code: 'custom', message: 'cursor must be a nextCursor of this list' })
    return z.NEVER
  })
  .optional()
  .describe('`meta.nextCursor` of the page before.')

/** The cursor that goes on below a task. */
export const cursorOf = (next: bigint | null): string | null =>
  next === null ? null : Buffer.from(String(next)).toString('base64url')

/** The common parameters of lists. */
export const listQuery = { market, limit, cursor, minBlock }

/** Reads an id that a query must have; a plain number gets a hint. */
export function taskIdOf(text: string | undefined, given: Market | undefined): TaskId {
  if (!text) throw new HttpError(400, 'INVALID_TASK_ID', 'A task id is required: v2:<market>:<number>.')
  try {
    const id = parseTaskId(text)
    if (given && given !== id.market) {
      throw new HttpError(400, 'INVALID_MARKET', `The task id is of market ${id.market}, not ${given}.`)
    }
    return id
  } catch (error) {
    if (!(error instanceof InvalidTaskIdError)) throw error
    const hint = /^\d{1,78}$/.test(text) ? `Did you mean v2:standard:${text} or v2:micro:${text}?` : undefined
    throw new HttpError(400, 'INVALID_TASK_ID', error.message, { ...(hint && { hint }) })
  }
}

const codes: Readonly<Record<string, ApiErrorCode>> = {
  market: 'INVALID_MARKET',
  limit: 'INVALID_LIMIT',
  address: 'INVALID_ADDRESS',
  cursor: 'INVALID_CURSOR',
  minBlock: 'INVALID_MIN_BLOCK',
  tier: 'INVALID_TIER',
  payWith: 'INVALID_PAY_WITH',
  txHash: 'INVALID_TX_HASH',
  id: 'INVALID_TASK_ID',
  taskId: 'INVALID_TASK_ID',
}

/** The error that a parameter is refused with. */
export const codeOf = (name: string): ApiErrorCode => codes[name] ?? 'INVALID_REQUEST'

/** Reads named values, or answers 400 with the first fault's words. Names that the route does not know are left alone, unless strict. */
export function parse<S extends Shape>(shape: S, given: Readonly<Record<string, unknown>>, strict = false): Parsed<S> {
  const foreign = strict && Object.keys(given).find((name) => !Object.hasOwn(shape, name))
  if (foreign) throw new HttpError(400, 'INVALID_REQUEST', `There is no ${foreign.slice(0, 40)} to set.`)
  const entries = Object.entries(shape).map(([name, schema]) => [name, parseOne(name, schema, given)] as const)
  return Object.fromEntries(entries) as Parsed<S>
}

function parseOne(name: string, schema: Schema, given: Readonly<Record<string, unknown>>): unknown {
  const { success, data, error } = z.safeParse(schema, Object.hasOwn(given, name) ? given[name] : undefined)
  if (success) return data
  const words = error.issues[0]?.message ?? 'cannot be read'
  const message = words.includes(name) || words.includes('required') ? words : `${name}: ${words}`
  throw new HttpError(400, codeOf(name), `${message}.`.replace(/\.\.$/, '.'))
}
