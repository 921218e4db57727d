import { maxTextBytes } from '@svc/protocol'
import { untrusted } from '../untrusted.ts'

/** Words as one line of ours: whatever could command a terminal or hide itself is taken out, line ends are spaces. */
export function inLine(words: string): string {
  return untrusted(words, Number.POSITIVE_INFINITY).replaceAll('\n', ' ')
}

/** A stranger's text as a quotation: every line marked, so that none passes for a line of ours. */
export function quotation(words: string): string[] {
  return untrusted(words, maxTextBytes)
    .split('\n')
    .map((line) => `> ${line}`)
}

/** A value as JSON in ASCII: a terminal shows it as it is, and nothing of it is lost. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
