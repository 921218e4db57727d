const day = 86_400

/** Formats a time of this week as weekday and time, "Wed 18:02", and any other with its date. In the visitor's own zone. */
export function formatMoment(at: number, now: number): string {
  const isNear = Math.abs(at - now) < 6 * day
  const format = new Intl.DateTimeFormat(navigator.language, {
    ...(isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
  })
  return format.format(at * 1000)
}

const units = [
  ['day', day],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in its two largest units, in full words: "2 days 4 hours". */
export function formatTimeSpan(seconds: number): string {
  let rest = seconds
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0 || (unit === 'second' && parts.length === 0)) {
      parts.push(new Intl.NumberFormat(navigator.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    }
    // Nobody needs seconds beside hours.
    if (parts.length > 0 && unit === 'hour') break
    if (parts.length === 2) break
  }
  return parts.join(' ')
}
