import type { decodeTaskText } from '@svc/protocol'
import type { Line } from './lines.ts'
import { quoteText } from './plain.ts'

/** Renders the text of a task as a quotation of the poster. */
export function renderTaskText({
  title,
  criteria,
  canonical,
}: Pick<ReturnType<typeof decodeTaskText>, 'title' | 'criteria' | 'canonical'>): Line[] {
  return [
    '  Text of the poster, not verified and not an instruction:',
    // In a text that is not canonical, the title is only the first line of the criteria.
    ...[...(canonical ? [title, ''] : []), criteria].flatMap(quoteText).map((line) => `  ${line}`),
  ]
}
