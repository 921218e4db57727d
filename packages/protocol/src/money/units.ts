import { formatUnits, parseUnits } from 'viem'
import { SvcError } from '../base/svcError.ts'

/** The decimals and symbols of the two tokens. */
export const tokens = {
  tok: { symbol: 'TOK', decimals: 18 },
  usdc: { symbol: 'USDC', decimals: 6 },
} as const

export type Token = keyof typeof tokens

/**
 * Formats an amount for people, exact to the last unit. USDC always shows cents.
 *
 * @example
 * ```ts
 * formatAmount(25_000_000n, 'usdc') // '25.00 USDC'
 * ```
 */
export function formatAmount(amount: bigint, token: Token): string {
  const { symbol, decimals } = tokens[token]
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const shown = token === 'usdc' ? fraction.padEnd(2, '0') : fraction
  return `${grouped}${shown && '.'}${shown} ${symbol}`
}

/**
 * Formats an amount for people with the decimals that matter: four digits, but never less than the whole part, and cents for
 * USDC. Rounds down, or up for what somebody needs, so that nobody brings too little.
 *
 * @example
 * ```ts
 * formatShortAmount(1_234_567_890_123_456_789n, 'tok') // '1.234 TOK'
 * ```
 */
export function formatShortAmount(amount: bigint, token: Token, rounding: 'down' | 'up' = 'down'): string {
  const { decimals } = tokens[token]
  return formatAmount(shortenAmount(amount, token === 'usdc' ? decimals - 2 : decimals, rounding), token)
}

/** Rounds an amount to its first four digits. The digits left of `cut` are never rounded. */
export function shortenAmount(amount: bigint, cut: number, rounding: 'down' | 'up' = 'down'): bigint {
  const digits = String(amount < 0n ? -amount : amount).length
  const unit = 10n ** BigInt(Math.min(Math.max(digits - 4, 0), cut))
  const rest = amount % unit
  return amount - rest + (rounding === 'up' && rest > 0n ? unit : 0n)
}

/**
 * Parses an amount as people write it, with or without thousands separators and symbol. Throws {@link InvalidAmountError}
 * for more decimals than the token has.
 *
 * @example
 * ```ts
 * parseAmount('1,250.5 TOK', 'tok') // 1250500000000000000000n
 * ```
 */
export function parseAmount(text: string, token: Token): bigint {
  const { symbol, decimals } = tokens[token]
  const [, whole, fraction = ''] = humanForm.exec(text.trim().replace(new RegExp(`\\s*${symbol}$`, 'i'), '')) ?? []
  if (whole === undefined || fraction.length > decimals) throw new InvalidAmountError(text, token)
  return parseUnits(`${whole.replaceAll(',', '')}.${fraction || '0'}`, decimals)
}

/**
 * Formats a unix timestamp for people, in UTC.
 *
 * @example
 * ```ts
 * formatTime(1_794_751_500) // '2026-11-15 14:05:00 UTC'
 * ```
 */
export function formatTime(unixSeconds: number | bigint): string {
  return `${new Date(Number(unixSeconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/**
 * Formats a duration for people, in its two largest units.
 *
 * @example
 * ```ts
 * formatDuration(5_400) // '1 h 30 min'
 * ```
 */
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

/**
 * Parses a duration as people write it, each number with its unit, into whole seconds. Throws {@link InvalidDurationError}
 * for a number without a unit.
 *
 * @example
 * ```ts
 * parseDuration('1 day 12 h') // 129600
 * ```
 */
export function parseDuration(text: string): number {
  const parts = [...text.trim().matchAll(durationPart)]
  const total = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (durationUnits[unit?.[0]?.toLowerCase() ?? ''] ?? 0),
    0,
  )
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim() || total > maxDuration)
    throw new InvalidDurationError(text)
  return Math.round(total)
}

// The first letter names the unit.
const durationUnits: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 }
const durationPart =
  /(\d{1,10}(?:\.\d{1,4})?)\s*(weeks?|w|days?|d|hours?|h|minutes?|min|seconds?|sec|s)(?![a-z])(?:,?\s+|$|(?=\d))/gi
/** More than the contracts can store is a typing error. */
const maxDuration = 2 ** 40 - 1

const spans = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

// Commas only as thousands separators, so `1,5` is not read as 15. 21 digits are more than the supply of TOK.
const humanForm = /^((?:\d{1,3}(?:,\d{3}){1,6})|\d{1,21})(?:\.(\d+))?$/

/** Thrown for a text that is not an amount of the token. */
export class InvalidAmountError extends SvcError {
  override name = 'InvalidAmountError'

  constructor(text: string, token: Token) {
    const { symbol, decimals } = tokens[token]
    super(
      'INVALID_AMOUNT',
      `Not an amount of ${symbol}: "${text.slice(0, 40)}". Write it like 1,250.5, with at most ${decimals} decimals.`,
    )
  }
}

/** Thrown for a text that is not a duration. */
export class InvalidDurationError extends SvcError {
  override name = 'InvalidDurationError'

  constructor(text: string) {
    super(
      'INVALID_DURATION',
      `Not a duration: "${text.slice(0, 40)}". Write it with its unit, like 36 hours or 2 days.`,
    )
  }
}
