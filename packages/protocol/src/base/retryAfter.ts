/**
 * Parses `Retry-After`: seconds, or the date that some proxies send. Returns milliseconds from `now`, 0 for a date in the past; null
 * if the header is missing or neither.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | null {
  if (!text) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
