import { decodeTaskText, sanitizeText } from '@svc/protocol'

/** What a page shows of a published text. */
export interface ShownText {
  title: string
  criteria: string
  /** Only letters, digits, hyphens and colons. */
  tags: readonly string[]
}

/** Formats the title and criteria that a poster published, each as one line of limited length, and the tags. */
export function shownText(text: string): ShownText {
  const { title, criteria, tags = [] } = decodeTaskText(text)
  return { title: oneLine(title, 120) || 'Without a title', criteria: oneLine(criteria, 600), tags }
}

function oneLine(words: string, maxLength: number): string {
  // Cut by code points, so that no surrogate pair is split.
  const letters = [...sanitizeText(words.replace(/\s+/gu, ' ')).trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('')
}
