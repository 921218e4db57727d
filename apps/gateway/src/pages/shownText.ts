import { readText, showWords } from '@svc/protocol'

/** The title and the criteria that a poster published, each fit to be shown as one line of text and cut to a length. */
export function shownText(text: string): { title: string; criteria: string } {
  const { title, criteria } = readText(text)
  return { title: oneLine(title, 120) || 'Without a title', criteria: oneLine(criteria, 600) }
}

function oneLine(words: string, maxLength: number): string {
  // By code points: a cut through a pair would leave half a character.
  const letters = [...showWords(words.replace(/\s+/gu, ' ')).trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('')
}
