import { toPlainLine } from './plain.ts'

/** A line of output: plain text, or a heading. */
export type Line = string | { heading: string }

/** Renders lines as text. Only here are terminal control codes added, after everything else was cleaned. */
export function renderLines(lines: readonly Line[], color: boolean): string {
  return lines
    .map((line) => {
      if (typeof line === 'string') return `${toPlainLine(line)}\n`
      const heading = toPlainLine(line.heading)
      return `${color ? `\u001b[1m${heading}\u001b[22m` : heading}\n`
    })
    .join('')
}
