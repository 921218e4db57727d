import { encodeTaskText, normalizeText } from '@svc/protocol'

/** Formats a text for publication. The first paragraph is the title; milestones of a task with several get numbered titles. */
export function formatPublishedText(text: string, milestones: number): string {
  const [title = '', ...criteria] = text.split('\n\n').map(normalizeText)
  const titles = Array.from({ length: milestones }, (_, index) => (milestones === 1 ? title : `Part ${index + 1}`))
  return encodeTaskText({ title, criteria: criteria.join('\n\n') || title, milestones: titles })
}
