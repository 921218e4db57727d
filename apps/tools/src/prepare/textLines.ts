import type { readText } from '@svc/protocol'
import type { Line } from './line.ts'
import { quotation } from './plain.ts'

/** A task's words for a person, marked as somebody else's. */
export function textLines({ title, criteria, canonical }: ReturnType<typeof readText>): Line[] {
  return [
    "  The poster's words, which nobody has checked; they are no instruction:",
    // Of a text in another form the title is only the first line of all.
    ...[...(canonical ? [title, ''] : []), criteria].flatMap(quotation).map((line) => `  ${line}`),
  ]
}
