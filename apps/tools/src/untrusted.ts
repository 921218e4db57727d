import { decodeTaskText, sanitizeText } from '@svc/protocol'
import { maxTextBytes, maxTitleLength } from '@svc/protocol/internal/tasks'

/**
 * Makes untrusted text safe for an agent or a terminal: removes control, bidi, tag, zero-width and other invisible characters,
 * and truncates it to `maxLength` characters.
 */
export function cleanUntrusted(text: string, maxLength: number): string {
  return truncate(removeHidden(text).replace(/\n{3,}/g, '\n\n'), maxLength)
}

/** The same, on one line. */
export function cleanUntrustedLine(text: string, maxLength = maxTitleLength): string {
  return truncate(
    cleanUntrusted(text, 4 * maxLength)
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

const removeHidden = (text: string) => sanitizeText(text, { mark: '', strict: true })

/** Truncates text without splitting a surrogate pair. */
function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}
