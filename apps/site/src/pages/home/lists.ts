import type { Market } from '@svc/protocol'

/** What the parts of the first page ask lists for: the same, so that each list is read once. */
export const firstPageInput = (market: Market) => ({ market, limit: 50, texts: 'true' }) as const
