/** The markets. They share no state: a task, a quota and a list belong to exactly one market. */
export const markets = ['standard', 'micro'] as const

/** The name of a market. */
export type Market = (typeof markets)[number]

/**
 * Checks whether a value is the name of a market. The comparison is case-sensitive.
 *
 * @example
 * ```ts
 * isMarket('micro') // true
 * ```
 */
export function isMarket(value: unknown): value is Market {
  return (markets as readonly unknown[]).includes(value)
}
