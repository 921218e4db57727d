import { sanitizeText } from '@svc/protocol'
import { normalizeText } from '@svc/protocol/internal/base'

/** The maximum length of untrusted text in the output. */
const maxShown = 8_192

/**
 * Makes untrusted text safe for a terminal or JSON output: replaces control, bidi, tag and other invisible characters, and
 * truncates it.
 */
export function toPlainText(text: string): string {
  const visible = sanitizeText(normalizeText(text))
  return visible.length > maxShown ? `${visible.slice(0, maxShown).toWellFormed()}…` : visible
}

/** The same as a quotation: every line is marked, so that none looks like our own output. */
export function quoteLines(text: string): string[] {
  return toPlainText(text)
    .split('\n')
    .map((line) => `  > ${line}`)
}

/** The same on one line, for use inside our own text. */
export function toSingleLine(text: string): string {
  return toPlainText(text).replaceAll('\n', ' ')
}
