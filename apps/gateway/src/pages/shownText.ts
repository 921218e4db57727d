import { readText } from '@svc/protocol'

/** The title and the criteria that a poster published, fit to be shown as text. */
export function shownText(text: string): { title: string; criteria: string } {
  const { title, criteria } = readText(text)
  return { title: plainText(title, 120) || 'Without a title', criteria: plainText(criteria, 600) }
}

/**
 * Words of strangers on one line: composed, without characters that hide, reorder or control text, and cut to a length.
 * What is taken out leaves a visible mark, so that nobody reads a word that was not written.
 */
function plainText(words: string, maxLength: number): string {
  const line = words
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(hidden, '\ufffd')
    .replace(/\ufffd+/g, '\ufffd')
    .trim()
  // By code points: a cut through a pair would leave half a character.
  const letters = [...line]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : line
}

const hidden =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu
