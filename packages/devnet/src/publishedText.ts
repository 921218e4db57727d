import { encodeTaskText } from '@svc/protocol'
import { normalizeText } from '@svc/protocol/internal/base'

/** Formats a text for publication. The first paragraph is the title. Without `titles`, several milestones are numbered. */
export function formatPublishedText(
  text: string,
  milestones: number,
  titles?: readonly string[],
  tags?: readonly string[],
): string {
  const [title = '', ...criteria] = text.split('\n\n').map(normalizeText)
  const numbered = Array.from({ length: milestones }, (_, index) => (milestones === 1 ? title : `Part ${index + 1}`))
  return encodeTaskText({
    title,
    criteria: criteria.join('\n\n') || title,
    milestones: titles ? [...titles] : numbered,
    ...(tags?.length && { tags: [...tags] }),
  })
}
