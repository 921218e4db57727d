import { createHash } from 'node:crypto'

/** A statement of a specification: a heading, a sentence of a paragraph or list item, or a row of a table. */
export interface Sentence {
  line: number
  text: string
  /** Identifies the sentence where it stands: a hash of its heading, of its column titles in a table, and of its text. */
  key: string
}

/** Splits a Markdown text into its sentences, in order. Code spans stay whole. */
export function splitSentences(markdown: string): Sentence[] {
  const found: Sentence[] = []
  let heading = ''
  for (const { line, text, columns } of splitBlocks(markdown)) {
    const isHeading = text.startsWith('#')
    if (isHeading) heading = normalize(text)
    const sentences = isHeading || columns !== '' ? [text] : splitProse(text)
    for (const sentence of sentences.map(normalize)) {
      found.push({ line, text: sentence, key: hashSentence(isHeading ? '' : heading, columns, sentence) })
    }
  }
  return found
}

interface Block {
  line: number
  text: string
  /** The column titles, for a row of a table. */
  columns: string
}

/** Headings, paragraphs, list items and table rows. Lines that continue a paragraph or an item belong to it. */
function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let columns = ''
  for (const [index, raw] of markdown.split('\n').entries()) {
    const text = raw.trim()
    if (!text.startsWith('|')) columns = ''
    if (text === '' || /^(?:```|<!--)/.test(text)) open = null
    else if (/^\|[\s:|-]+\|$/.test(text)) open = null
    else if (text.startsWith('|')) {
      open = null
      if (columns === '') columns = normalize(text)
      else blocks.push({ line: index + 1, text, columns })
    } else if (open && !/^(?:#{1,6} |[-*] |\d+\. )/.test(text)) {
      open.text += ` ${text}`
    } else {
      const block = { line: index + 1, text: text.replace(/^(?:[-*]|\d+\.) /, ''), columns: '' }
      blocks.push(block)
      open = text.startsWith('#') ? null : block
    }
  }
  return blocks
}

/** A sentence ends at a stop that a capital letter, a digit or code follows. Stops inside code do not count. */
function splitProse(text: string): string[] {
  const masked = text.replace(/`[^`]*`/g, (code) => code.replace(/[.!?]/g, '_')).replace(/\b(?:e\.g|i\.e)\./g, '____')
  const ends = [...masked.matchAll(/[.!?]["')]*\s+(?=[\p{Lu}\d`"(])/gu)].map(
    ({ index, 0: stop }) => index + stop.length,
  )
  return [0, ...ends].map((start, at) => text.slice(start, ends[at]))
}

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim()

const hashSentence = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
