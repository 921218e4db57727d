import { decodeTaskText, maxTextBytes, maxTitleLength, sanitizeText } from '@svc/protocol'

/**
 * Makes untrusted text safe for an agent or a terminal: removes control, bidi, tag, zero-width and other invisible characters,
 * and truncates it to `maxLength` characters.
 */
export function cleanUntrusted(words: string, maxLength: number): string {
  return truncate(removeHidden(words).replace(/\n{3,}/g, '\n\n'), maxLength)
}

/** The same, on one line. */
export function cleanUntrustedLine(words: string, maxLength = maxTitleLength): string {
  return truncate(
    cleanUntrusted(words, 4 * maxLength)
      .replace(/\s+/g, ' ')
      .trim(),
    maxLength,
  )
}

/** Converts a published text to fields that are named `untrusted…`, because nobody verified it. */
export function toUntrustedFields(text: string) {
  const { title, criteria, milestones } = decodeTaskText(text)
  return {
    untrustedTitle: cleanUntrustedLine(title),
    untrustedCriteria: cleanUntrusted(criteria, maxTextBytes),
    untrustedMilestones: milestones.map((each) => cleanUntrustedLine(each)),
    /** The number of invisible characters that were removed. More than zero is a warning. */
    removedCharacters:
      [...text.replace(/[\r\n\t]/g, '')].length - [...removeHidden(text.replace(/[\r\n\t]/g, ''))].length,
  }
}

const removeHidden = (words: string) => sanitizeText(words, { mark: '', strict: true })

/** Truncates text without splitting a surrogate pair. */
function truncate(words: string, maxLength: number): string {
  return words.length <= maxLength ? words : `${words.slice(0, maxLength - 1).toWellFormed()}…`
}
