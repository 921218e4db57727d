import { maxTextBytes, maxTitleLength, readText, showWords } from '@svc/protocol'

/**
 * Words of a stranger as they may be shown to an agent or a terminal: without control, bidi, tag, zero-width and other
 * characters that do not show themselves, and no longer than `maxLength` characters.
 */
export function untrusted(words: string, maxLength: number): string {
  return cut(onlyShown(words).replace(/\n{3,}/g, '\n\n'), maxLength)
}

/** The same on one line. */
export function untrustedLine(words: string, maxLength = maxTitleLength): string {
  return cut(
    untrusted(words, 4 * maxLength)
      .replace(/\s+/g, ' ')
      .trim(),
    maxLength,
  )
}

/** A published text in fields whose names say what it is: nobody has checked a word of it. */
export function untrustedText(text: string) {
  const { title, criteria, milestones } = readText(text)
  return {
    untrustedTitle: untrustedLine(title),
    untrustedCriteria: untrusted(criteria, maxTextBytes),
    untrustedMilestones: milestones.map((each) => untrustedLine(each)),
    /** How many characters were taken out because they do not show themselves: more than none is a warning. */
    removedCharacters: [...text.replace(/[\r\n\t]/g, '')].length - [...onlyShown(text.replace(/[\r\n\t]/g, ''))].length,
  }
}

const onlyShown = (words: string) => showWords(words, { mark: '', strict: true })

/** Never through a surrogate pair. */
function cut(words: string, maxLength: number): string {
  return words.length <= maxLength ? words : `${words.slice(0, maxLength - 1).toWellFormed()}…`
}
