import type { decodeTaskText } from '@svc/protocol'

const ellipsis = '…'

/** How much shorter than the limit a cut at a word may make a text, as a share. A longer last word is cut inside. */
const wordShare = 0.6

/** Returns the beginning of an untrusted text on one line, at most `max` characters long, cut at a word. */
export function excerptText(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line.toWellFormed()
  const room = line.slice(0, max - ellipsis.length + 1)
  const end = room.lastIndexOf(' ')
  const cut = end > max * wordShare ? room.slice(0, end) : room.slice(0, -1)
  // The cut may go through a surrogate pair. Its half is removed.
  return `${cut.replace(/[\ud800-\udbff]$/, '').toWellFormed()}${ellipsis}`
}

/** The most characters of the criteria that a list shows. */
const maxExcerpt = 200

/** What a list shows of a published text, which is untrusted. */
export interface TextSummary {
  title: string
  /** The beginning of the criteria, on one line. */
  excerpt: string
  tags: readonly string[]
}

/** Summarizes a decoded text for a list. */
export const summarizeText = ({ title, criteria, tags = [] }: ReturnType<typeof decodeTaskText>): TextSummary => ({
  title,
  excerpt: excerptText(criteria, maxExcerpt),
  tags,
})
