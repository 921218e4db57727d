import { maxTextBytes } from '@svc/protocol/internal/tasks'
import { cleanUntrusted } from '../untrusted.ts'

/** Cleans text for one line of output: removes control and invisible characters, and replaces line breaks with spaces. */
export function toPlainLine(text: string): string {
  return cleanUntrusted(text, Number.POSITIVE_INFINITY).replaceAll('\n', ' ')
}

/** Quotes untrusted text: every line is marked, so that none looks like our own output. */
export function quoteText(text: string): string[] {
  return cleanUntrusted(text, maxTextBytes)
    .split('\n')
    .map((line) => `> ${line}`)
}

/** Formats a value as ASCII JSON, which is safe for a terminal and loses nothing. */
export function toAsciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
