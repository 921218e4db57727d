import { cleanWords, showWords } from '@svc/protocol'

/** The longest text of a stranger that is shown at once. */
const maxShown = 8_192

/**
 * A stranger's words for a terminal or an answer: without control, bidi, tag or other invisible characters, so that they show
 * what they are and command nothing, and not without end.
 */
export function plainWords(words: string): string {
  const visible = showWords(cleanWords(words))
  return visible.length > maxShown ? `${visible.slice(0, maxShown).toWellFormed()}…` : visible
}

/** The same as a quotation: every line marked, so that none passes for a line of ours. */
export function quotation(words: string): string[] {
  return plainWords(words)
    .split('\n')
    .map((line) => `  > ${line}`)
}

/** The same as part of a line of ours. */
export function inLine(words: string): string {
  return plainWords(words).replaceAll('\n', ' ')
}
