import type { Market } from '@svc/protocol'

/** What the parts of the first page ask for: the same lists, so that each is read once. */
export const openList = (market: Market) => ({ market, limit: 100 })
export const recentList = (market: Market) => ({ market, limit: 100 })
