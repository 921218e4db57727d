import * as z from 'zod/mini'

/** The markets of the service. They share nothing: a task, a quota or a list belongs to exactly one. */
export const markets = ['standard', 'micro'] as const

/** The name of a market. */
export type Market = (typeof markets)[number]

/** Whether `value` names a market, in exactly this spelling. */
export function isMarket(value: unknown): value is Market {
  return (markets as readonly unknown[]).includes(value)
}

/** The schema of a market name, for the edges. */
export const market = z.enum(markets)
