import { maxUint256 } from 'viem'
import * as z from 'zod/mini'
import { isMarket, type Market, markets } from './market.ts'

/** A task's identity: its market and its number in that market's registry. On the wire `v2:<market>:<number>`. */
export interface TaskId {
  market: Market
  /** 1 to 2^256 - 1. */
  number: bigint
}

/** Reads a wire id. Refuses plain numbers, other versions or markets, leading zeros and numbers past uint256. */
export function parseTaskId(id: string): TaskId {
  const [, market, digits] = wireForm.exec(id) ?? []
  if (!isMarket(market) || digits === undefined) throw new InvalidTaskIdError(id)
  const number = BigInt(digits)
  if (number > maxUint256) throw new InvalidTaskIdError(id)
  return { market, number }
}

/** Writes a wire id. Refuses what `parseTaskId` would not read back. */
export function formatTaskId({ market, number }: TaskId): string {
  const id = `v2:${market}:${number}`
  if (!isMarket(market) || number < 1n || number > maxUint256) throw new InvalidTaskIdError(id)
  return id
}

/** The schema of a wire id, for the edges: strings outside, `TaskId` inside. */
export const taskId = z.codec(z.string(), z.custom<TaskId>(), {
  decode: (id, context) => {
    try {
      return parseTaskId(id)
    } catch (error) {
      if (!(error instanceof InvalidTaskIdError)) throw error
      context.issues.push({ code: 'custom', message: error.message, input: id })
      return z.NEVER
    }
  },
  encode: formatTaskId,
})

// 78 digits hold 2^256 - 1: a longer number is refused before it is converted.
const wireForm = /^v2:([a-z]+):([1-9][0-9]{0,77})$/

/** A task id that names no possible task. */
export class InvalidTaskIdError extends Error {
  override name = 'InvalidTaskIdError'

  constructor(id: string) {
    // A stranger's id may be of any length and end up in an answer or a log.
    const shown = JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id)
    super(`Task id ${shown} is not v2:<market>:<number> with market ${markets.join(' or ')} and number 1 to 2^256 - 1.`)
  }
}
