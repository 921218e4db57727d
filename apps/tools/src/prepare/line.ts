import { inLine } from './plain.ts'

/** A line for people: plain, or a heading. */
export type Line = string | { heading: string }

/** Lines as text. Only here does a control code come in, and only ours: everything else is cleaned first. */
export function textOf(lines: readonly Line[], color: boolean): string {
  return lines
    .map((line) => {
      if (typeof line === 'string') return `${inLine(line)}\n`
      const words = inLine(line.heading)
      return `${color ? `\u001b[1m${words}\u001b[22m` : words}\n`
    })
    .join('')
}
