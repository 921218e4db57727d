import { type Address, formatUnits, type Hex, hexToString } from 'viem'
import { formatDuration, formatShortAmount, formatTime, type Token } from '../money/units.ts'

/** Formats TOK wei for a sentence. */
export const formatTok = (amount: bigint): string => formatShortAmount(amount, 'tok')

/** Formats USDC units for a sentence. */
export const formatUsdc = (amount: bigint): string => formatShortAmount(amount, 'usdc')

/** Formats what somebody must bring for a sentence, rounded up. */
export const formatNeed = (amount: bigint, token: Token): string => formatShortAmount(amount, token, 'up')

/** Begins a sentence about what a wallet has: "You have", or its address and "has". */
export const formatHolder = (wallet: Address, caller: Address | undefined): string =>
  isSameWallet(wallet, caller) ? 'You have' : `${wallet} has`

export const isSameWallet = (wallet: Address, caller: Address | undefined): boolean =>
  wallet.toLowerCase() === caller?.toLowerCase()

/** Completes a sentence about what is there with what is needed, and with the difference. */
export function describeShortage(begin: string, have: bigint, need: bigint, token: Token): string {
  return `${begin}; this takes ${formatNeed(need, token)}. ${formatNeed(need - have, token)} are missing.`
}

/** Formats a timestamp for a sentence. Some come from untrusted input, so any number must work. */
export const formatTimestamp = (time: bigint): string =>
  time < 253_402_300_800n ? formatTime(time) : 'a time after the year 9999'

/** Formats a duration for a sentence. Some come from untrusted input, so any number must work. */
export const formatSpan = (seconds: bigint | number): string =>
  seconds < 3_155_760_000 ? formatDuration(seconds) : 'more than 100 years'

/** Formats basis points for a sentence: `12.5 %`. Some come from untrusted input, so any number must work. */
export const formatPercent = (bps: bigint | number): string =>
  bps <= 1_000_000 ? `${formatUnits(BigInt(bps), 2)} %` : 'more than 10,000 %'

/** Formats a milestone index for a sentence, counting from 1. */
export const formatMilestone = (milestone: bigint): string => `milestone ${milestone + 1n}`

/** Formats a count: `1 open case`, `2 open cases`. */
export const pluralize = (number: bigint, noun: string): string => `${number} ${noun}${number === 1n ? '' : 's'}`

/** Formats a plan id for a sentence: its name, or the raw bytes if they are not a name. */
export function formatPlan(planId: Hex): string {
  const name = hexToString(planId, { size: 32 })
  return `plan ${/^[\w-]+$/.test(name) ? name : planId}`
}

/** Formats an untrusted reason for a sentence: one line, at most 200 characters, no period at the end. */
export function quoteReason(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/\.+$/, '')
}
