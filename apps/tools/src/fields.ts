import type { BlockRef } from '@svc/chain'
import { formatAmount, formatTime, InvalidTaskIdError, type Market, parseTaskId, type TaskId } from '@svc/protocol'
import { metaJsonOf } from '@svc/protocol/http'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'

/** Fields that several tools take. */
export const market = z.enum(['standard', 'micro']).default('standard')

export const wallet = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'not a wallet address: 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))

export const taskId = z.string().transform((text, context): TaskId => {
  try {
    return parseTaskId(text)
  } catch (error) {
    if (!(error instanceof InvalidTaskIdError)) throw error
    context.addIssue({ code: 'custom', message: 'not a task id: v2:standard:<number> or v2:micro:<number>' })
    return z.NEVER
  }
})

/** The block that an answer is true at: see `metaOf`. Records grow: schemas name what is counted on, and more may be there. */
export const meta = z.looseObject({ block: z.looseObject({}) })

/** The `meta` of an answer: the block that it is true at, and when that was. */
export function metaOf(market: Market, block: BlockRef) {
  const { block: at, ...rest } = metaJsonOf(market, block, false)
  return { ...rest, block: { ...at, time: formatTime(at.timestamp) } }
}

/** An amount of TOK twice: `<name>TokWei` exact, `<name>` as people read it. */
export function tokFields<Name extends string>(name: Name, amount: bigint) {
  return { [`${name}TokWei`]: String(amount), [name]: formatAmount(amount, 'tok') } as Record<
    Name | `${Name}TokWei`,
    string
  >
}

/** A moment twice: `<name>` in unix seconds, `<name>Utc` as people read it; null where it is not set. */
export function timeFields<Name extends string>(name: Name, unixSeconds: number | null) {
  const at = unixSeconds || null
  return { [name]: at, [`${name}Utc`]: at === null ? null : formatTime(at) } as Record<Name, number | null> &
    Record<`${Name}Utc`, string | null>
}
