import { formatUnits, type Hex, hexToString } from 'viem'
import { formatAmount, formatDuration, formatTime } from '../units.ts'

/** TOK wei in a sentence. */
export const tok = (amount: bigint): string => formatAmount(amount, 'tok')

/** USDC units in a sentence. */
export const usdc = (amount: bigint): string => formatAmount(amount, 'usdc')

/** A moment in a sentence. Strangers choose some of them, so any number must do. */
export const at = (time: bigint): string => (time < 253_402_300_800n ? formatTime(time) : 'a time after the year 9999')

/** A duration in a sentence. Strangers choose some of them, so any number must do. */
export const span = (seconds: bigint | number): string =>
  seconds < 3_155_760_000 ? formatDuration(seconds) : 'more than 100 years'

/** Basis points in a sentence: `12.5 %`. */
export const percent = (bps: bigint | number): string => `${formatUnits(BigInt(bps), 2)} %`

/** A milestone in a sentence, where people count from 1. */
export const nth = (milestone: bigint): string => `milestone ${milestone + 1n}`

/** A number of things in a sentence: `1 open case`, `2 open cases`. */
export const count = (number: bigint, thing: string): string => `${number} ${thing}${number === 1n ? '' : 's'}`

/** A plan in a sentence: its name, or the bytes when they are none. */
export function plan(planId: Hex): string {
  const name = hexToString(planId, { size: 32 })
  return `plan ${/^[\w-]+$/.test(name) ? name : planId}`
}

/** A stranger's words in a sentence: one line of at most 200 characters, without a period of its own. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/\.+$/, '')
}
