const spans = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

/** Formats a duration like the protocol's `formatDuration`; a test compares the two. */
export function duration(seconds) {
  let rest = Math.floor(seconds)
  const parts = []
  for (const [unit, size] of spans) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}
