import { formatUnits, parseUnits } from 'viem'

/** The decimals and symbols of the two tokens. */
export const tokens = {
  tok: { symbol: 'TOK', decimals: 18 },
  usdc: { symbol: 'USDC', decimals: 6 },
} as const

export type Token = keyof typeof tokens

/** An amount as people read it, exact to the last unit: `1,234.5 TOK`. USDC has its cents: `25.00 USDC`. */
export function formatAmount(amount: bigint, token: Token): string {
  const { symbol, decimals } = tokens[token]
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const shown = token === 'usdc' ? fraction.padEnd(2, '0') : fraction
  return `${grouped}${shown && '.'}${shown} ${symbol}`
}

/** Reads an amount as people write it, with or without thousands' commas and the symbol. Refuses what the token cannot divide. */
export function parseAmount(text: string, token: Token): bigint {
  const { symbol, decimals } = tokens[token]
  const [, whole, fraction = ''] = humanForm.exec(text.trim().replace(new RegExp(`\\s*${symbol}$`, 'i'), '')) ?? []
  if (whole === undefined || fraction.length > decimals) throw new InvalidAmountError(text, token)
  return parseUnits(`${whole.replaceAll(',', '')}.${fraction || '0'}`, decimals)
}

/** A moment as people read it: `2026-11-15 14:05:00 UTC`. */
export function formatTime(unixSeconds: number | bigint): string {
  return `${new Date(Number(unixSeconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A duration as people read it, in its two largest units: `3 d`, `1 h 30 min`, `45 s`. */
export function formatDuration(durationSeconds: number | bigint): string {
  let rest = Number(durationSeconds)
  const parts: string[] = []
  for (const [unit, size] of spans) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

const spans = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

// Commas only where they belong, so that `1,5` is not fifteen; 21 digits are more than all TOK there is.
const humanForm = /^((?:\d{1,3}(?:,\d{3}){1,6})|\d{1,21})(?:\.(\d+))?$/

/** An amount that nobody can mean. */
export class InvalidAmountError extends Error {
  override name = 'InvalidAmountError'

  constructor(text: string, token: Token) {
    const { symbol, decimals } = tokens[token]
    super(
      `"${text.slice(0, 40)}" is not an amount of ${symbol}: write it like 1,250.5, with at most ${decimals} decimals.`,
    )
  }
}
