import type { BlockRef } from '@svc/chain'
import { formatAmount, formatTime, InvalidTaskIdError, parseTaskId, type TaskId } from '@svc/protocol'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'

/** Input fields shared by several tools. */
export const market = z.enum(['standard', 'micro']).default('standard').describe('Market.')

/** Twenty rows are enough to choose from and save the agent's context. */
export const listLimit = z.int().min(1).max(50).default(20).describe('Most tasks.')

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'not a valid address: expected 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))
  .describe('Wallet address.')

export const taskId = z
  .string()
  .transform((text, context): TaskId => {
    try {
      return parseTaskId(text)
    } catch (error) {
      if (!(error instanceof InvalidTaskIdError)) throw error
      context.addIssue({
        code: 'custom',
        message: 'not a valid task id: expected v2:standard:<number> or v2:micro:<number>',
      })
      return z.NEVER
    }
  })
  .describe('Task id: v2:<market>:<number>.')

/** The block of a result: see `buildMeta`. Output schemas name the fields that callers can rely on; results can contain more. */
export const meta = z
  .looseObject({ block: z.looseObject({}).describe('Number and time of the block at which the response is true.') })
  .describe('Block of the response.')

/** Builds the `meta` of a result: the block it was read at. Nothing more, because an agent pays for every token of every answer. */
export const buildMeta = ({ number, timestamp }: Pick<BlockRef, 'number' | 'timestamp'>) => ({
  block: { number: Number(number), timestamp },
})

/** Formats an amount of TOK in two fields: `<name>TokWei` exact, `<name>` for people. */
export function toTokFields<Name extends string>(name: Name, amount: bigint) {
  return { [`${name}TokWei`]: String(amount), [name]: formatAmount(amount, 'tok') } as Record<
    Name | `${Name}TokWei`,
    string
  >
}

/** Formats a time in two fields: `<name>` in unix seconds, `<name>Utc` for people; both null if it is not set. */
export function toTimeFields<Name extends string>(name: Name, unixSeconds: number | null) {
  const at = unixSeconds || null
  return { [name]: at, [`${name}Utc`]: at === null ? null : formatTime(at) } as Record<Name, number | null> &
    Record<`${Name}Utc`, string | null>
}
