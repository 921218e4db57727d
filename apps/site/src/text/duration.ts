const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Spells a length of time with one unit: "24 hours", "3 days". Up to two days it counts hours. */
export function spellDuration(seconds: number): string {
  const [unit, length] = units.find(([name, size]) => seconds >= (name === 'day' ? 2 * size : size)) ?? ['minute', 60]
  const count = Math.max(1, Math.round(seconds / length))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
