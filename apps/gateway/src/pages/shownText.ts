import { decodeTaskText, sanitizeText } from '@svc/protocol'

/** Formats the title and criteria that a poster published, each as one line of limited length. */
export function shownText(text: string): { title: string; criteria: string } {
  const { title, criteria } = decodeTaskText(text)
  return { title: oneLine(title, 120) || 'Without a title', criteria: oneLine(criteria, 600) }
}

function oneLine(words: string, maxLength: number): string {
  // Cut by code points, so that no surrogate pair is split.
  const letters = [...sanitizeText(words.replace(/\s+/gu, ' ')).trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('')
}
