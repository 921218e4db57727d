/** Differences up to this many seconds are blocks on their way, not a wrong clock. */
const tolerance = 90
/** A larger difference is not a wrong clock either, but a chain or a server that cannot be believed. */
const maxDifference = 400 * 86_400

/** The server's clock minus the visitor's, in seconds; null before the first answer. */
let serverOffset: number | null = null
/** The newest block's time minus the visitor's clock when it arrived; null before the first block. */
let blockOffset: number | null = null
let newest = 0

const localNow = () => Math.floor(Date.now() / 1000)

/** Learns the server's time from the `Date` header of an answer. */
export function learnServerTime(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date)
  if (!Number.isNaN(at)) serverOffset = Math.floor(at / 1000) - localNow()
}

/** Learns the chain's time from the block that an answer names. An answer from an old block says nothing. */
export function learnBlockTime(body: object): void {
  const { block, stale } = ('meta' in body && body.meta ? body.meta : {}) as {
    block?: { timestamp?: number }
    stale?: boolean
  }
  const at = block?.timestamp
  if (stale || at === undefined || at < newest) return
  newest = at
  blockOffset = at - localNow()
}

/**
 * How many seconds the chain's clock is ahead of the visitor's. Zero while they agree. A block in the past alone proves nothing,
 * since a quiet chain makes none: the server's clock must be behind the visitor's too.
 */
export function getClockOffset(): number {
  const offset = computeOffset()
  return Math.abs(offset) <= tolerance || Math.abs(offset) > maxDifference ? 0 : offset
}

function computeOffset(): number {
  if (blockOffset === null) return 0
  if (blockOffset > 0) return blockOffset
  return serverOffset === null ? blockOffset : Math.max(blockOffset, serverOffset)
}
