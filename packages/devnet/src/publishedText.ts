import { cleanWords, writeText } from '@svc/protocol'

/** What is published of a text whose first paragraph is its title, for a task of so many milestones. */
export function publishedText(text: string, milestones: number): string {
  const [title = '', ...criteria] = text.split('\n\n').map(cleanWords)
  const titles = Array.from({ length: milestones }, (_, index) => (milestones === 1 ? title : `Part ${index + 1}`))
  return writeText({ title, criteria: criteria.join('\n\n') || title, milestones: titles })
}
