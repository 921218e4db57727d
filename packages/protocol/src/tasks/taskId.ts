import { maxUint256 } from 'viem'
import { isMarket, type Market, markets } from '../base/market.ts'
import { SvcError } from '../base/svcError.ts'

/** The id of a task: its market and its number in that market's registry. As text: `v2:<market>:<number>`. */
export interface TaskId {
  market: Market
  /** 1 to 2^256 - 1. */
  number: bigint
}

/**
 * Parses a task id. Throws {@link InvalidTaskIdError} for plain numbers, other versions or markets, leading zeros, and
 * numbers above uint256.
 *
 * @example
 * ```ts
 * parseTaskId('v2:micro:33') // { market: 'micro', number: 33n }
 * ```
 */
export function parseTaskId(id: string): TaskId {
  const [, market, digits] = wireForm.exec(id) ?? []
  if (!isMarket(market) || digits === undefined) throw new InvalidTaskIdError(id)
  const number = BigInt(digits)
  if (number > maxUint256) throw new InvalidTaskIdError(id)
  return { market, number }
}

/**
 * Formats a task id. Throws {@link InvalidTaskIdError} for an id that `parseTaskId` would not accept.
 *
 * @example
 * ```ts
 * formatTaskId({ market: 'micro', number: 33n }) // 'v2:micro:33'
 * ```
 */
export function formatTaskId({ market, number }: TaskId): string {
  const id = `v2:${market}:${number}`
  if (!isMarket(market) || number < 1n || number > maxUint256) throw new InvalidTaskIdError(id)
  return id
}

// 2^256 - 1 has 78 digits. Longer numbers are rejected before they are converted.
const wireForm = /^v2:([a-z]+):([1-9][0-9]{0,77})$/

/** Thrown for a text that is not a valid task id. */
export class InvalidTaskIdError extends SvcError {
  override name = 'InvalidTaskIdError'

  constructor(id: string) {
    // The id is untrusted input of any length and can end up in a response or a log.
    const shown = JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id)
    super(
      'INVALID_TASK_ID',
      `Not a valid task id: ${shown}. Write v2:<market>:<number>, with market ${markets.join(' or ')} and a number from 1 to 2^256 - 1.`,
    )
  }
}
