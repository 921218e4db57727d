import { limits, type Market, markets, parseTaskId, postingPlans, SvcError, type TaskId } from '@svc/protocol'
import { type Address, getAddress, type Hex } from 'viem'
import * as z from 'zod'

/**
 * Parameters that several operations share: JSON in, values out. A message that begins with a verb continues the name of the
 * field, which an operation may choose: see `formatIssue`.
 */
export const oneMarket = z.enum(markets, `market must be ${markets.join(' or ')}`)
export const market = oneMarket.default('standard').describe('Market: standard or micro; default standard.')

/** For operations whose task id already names the market. */
export const matchingMarket = oneMarket.optional().describe('Optional; must be the market of the task id.')

export const address = z
  .string('a wallet address is required: 0x and 40 hex digits')
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a wallet address: 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))
  .describe('Wallet address; upper and lower case do not matter.')

export const signer = address.describe('Wallet that will sign; upper and lower case do not matter.')

/** What an action may be paid from. */
export const payFrom = z
  .enum(['tok', 'usdc'], 'payFrom must be tok or usdc')
  .optional()
  .describe(
    'Adds to the batch what must happen first: a top-up of the deposit and, with `usdc`, the purchase of the TOK that is missing. Without it, only the action is prepared.',
  )

export const txHash = z
  .string('is required: a transaction hash, 0x and 64 hex digits')
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash: 0x and 64 hex digits')
  .transform((text) => text.toLowerCase() as Hex)
  .describe('Hash of the transaction.')

const { min, max, default: defaultLimit } = limits.list
export const limit = z
  .int(`limit must be a whole number from ${min} to ${max}`)
  .min(min, `limit must be at least ${min}`)
  .max(max, `limit must be at most ${max}`)
  .default(defaultLimit)
  .describe(`Maximum number of rows, ${min} to ${max}; default ${defaultLimit}.`)

const tiers = postingPlans.map(({ id }) => id)
export const tier = z.enum(tiers, `tier must be ${tiers.join(', ')}`).describe('Posting plan.')

const assets = ['tok', 'usdc'] as const
export const payWith = z.enum(assets, `payWith must be ${assets.join(' or ')}`).describe('Token to pay with.')

/** Reads `nextCursor` of a task list: the number of the last task of the page before. */
export const cursor = z
  .string()
  .max(40)
  .transform((text, context): bigint => {
    const digits = Buffer.from(text, 'base64url').toString('latin1')
    if (/^[1-9][0-9]{0,18}$/.test(digits)) return BigInt(digits)
    context.addIssue({ code: 'custom', message: 'cursor must be a nextCursor of this list' })
    return z.NEVER
  })
  .optional()
  .describe('`meta.nextCursor` of the previous page; omit it for the first page.')

/** Writes the cursor of the page that follows a task. */
export const formatCursor = (next: bigint | null): string | null =>
  next === null ? null : Buffer.from(String(next)).toString('base64url')

/** The most tasks of a list whose texts are read. */
export const maxListedTexts = 50

const texts = z
  .literal('true')
  .optional()
  .describe(
    `\`true\`: each task also has its \`title\`, \`excerpt\`, \`tags\` and \`netPayTokWei\`, as in a search. A page then has ${maxListedTexts} tasks at most.`,
  )

/** What every list of tasks takes. */
export const listInput = { market, limit, cursor, texts }

const taskIdRequired = 'A task id is required: v2:<market>:<number>'

/** The text of a task id, for operations that accept it under several names. */
export const taskIdInput = z
  .string(taskIdRequired)
  .max(120)
  .describe('Task id: v2:standard:<number> or v2:micro:<number>.')

/** A task id, parsed. Code below the edge gets a `TaskId`, never a string. */
export const taskId = taskIdInput.transform((text, context): TaskId => readTaskId(text, context, []) ?? z.NEVER)

/**
 * Parses a task id inside a transform. Reports an issue and returns undefined if it is missing, malformed, or of another
 * market than `market`.
 */
export function readTaskId(
  text: string | undefined,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  path: readonly string[],
  market?: Market,
): TaskId | undefined {
  if (!text) {
    context.addIssue({ code: 'custom', path: [...path], message: taskIdRequired })
    return undefined
  }
  try {
    const id = parseTaskId(text)
    if (!market || market === id.market) return id
    const message = `The task id is of market ${id.market}, not ${market}`
    context.addIssue({ code: 'custom', path: ['market'], message })
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const hint = /^\d{1,78}$/.test(text) ? `Did you mean v2:standard:${text} or v2:micro:${text}?` : undefined
    context.addIssue({ code: 'custom', path: [...path], message: error.message, params: { hint } })
  }
  return undefined
}

const minBlock = z
  .int('minBlock must be a block number')
  .min(0, 'minBlock must be a block number')
  .max(Number.MAX_SAFE_INTEGER, 'minBlock must be a block number')
  .optional()
  .describe('Wait up to two seconds until this block is served, for example after you sent a transaction.')

const path = z
  .literal('chain', 'path must be chain')
  .optional()
  .describe('`chain` reads the chain itself, even if the index is up to date. Slower.')

/** Every read over HTTP takes these beside its own input. */
export const readOptions = { minBlock, path }

/** The id of a prepared request of the gateway. */
export const requestId = z
  .string()
  .transform((text, context) => {
    if (/^req_[A-Za-z0-9_-]{22}$/.test(text)) return text
    const params = { code: 'REQUEST_NOT_FOUND' }
    context.addIssue({ code: 'custom', message: 'There is no request with this id', params })
    return z.NEVER
  })
  .describe('Id of the prepared request.')
