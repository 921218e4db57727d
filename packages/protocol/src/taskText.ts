import { type Hex, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { maxMilestones } from './amounts.ts'
import { canonicalJson } from './canonicalJson.ts'

/** The longest text of a task, in bytes of UTF-8; open tasks publish it on chain. */
export const maxTextBytes = 8_192
export const maxTitleLength = 120

/**
 * Words as they are hashed: composed (NFC), lines ended by a line feed, spaces for tabs, nothing around them. Two people who typed the
 * same must get the same bytes.
 */
export function cleanWords(words: string): string {
  return words.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '  ').trim()
}

/** Words that show themselves as they are: no control, bidi or tag characters, no half of a surrogate pair. */
const plain = (words: string) =>
  words.isWellFormed() && !hidden.test(words.replace(shaping, '')) && words === cleanWords(words)

// Joiners and variation selectors shape letters and emoji; everything else that does not show itself is refused.
const shaping = /\u200c|\u200d|[\ufe00-\ufe0f]/g
const hidden = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u

/**
 * Words of a stranger as they may be shown to people, agents and terminals: lines stay lines, and what hides, reorders or
 * controls text is replaced by `mark`. Joiners and variation selectors shape letters and emoji, and can carry a hidden message
 * as well: `strict` replaces them too.
 */
export function showWords(words: string, { mark = '\ufffd', strict = false } = {}): string {
  return words
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(unshown, (letter) => (strict || letter.replace(shaping, '') !== '' ? mark : letter))
}

const unshown =
  /(?!\n)[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/gu

/** One line of at most 120 characters. */
export const title = z.string().check(
  z.minLength(1),
  z.maxLength(maxTitleLength),
  z.refine((words) => plain(words), 'one line, without invisible characters or spaces around it'),
)

/** Text of any number of lines. */
export const prose = z.string().check(
  z.minLength(1),
  z.maxLength(maxTextBytes),
  z.refine(
    (words) => plain(words.replaceAll('\n', ' ').trim()) && words === cleanWords(words),
    'text without invisible characters or spaces around it',
  ),
)

/** What a task is about, in words. Numbers are not here: the terms have them. */
export const taskText = z.strictObject({
  title,
  /** What must be true of the work for it to be accepted. */
  criteria: prose,
  /** A title for each milestone. */
  milestones: z.array(title).check(z.minLength(1), z.maxLength(maxMilestones)),
})

export type TaskText = z.infer<typeof taskText>

/** The text that is published and hashed. Refuses words that are not clean, or too many of them. */
export function writeText(words: TaskText): string {
  const text = canonicalJson(taskText.parse(words))
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxTextBytes) throw new TextTooLongError(bytes)
  return text
}

/** Reads a published text. One that `writeText` did not write is all criteria, its first line the title; never trust either. */
export function readText(text: string): TaskText & { canonical: boolean } {
  const words = parseText(text)
  if (words) return { ...words, canonical: true }
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  // The cut may go through a surrogate pair.
  return { title: first.slice(0, maxTitleLength).toWellFormed(), criteria: text, milestones: [], canonical: false }
}

/** The hash that stands on chain for a text. */
export function criteriaHash(text: string): Hex {
  return keccak256(stringToHex(text))
}

function parseText(text: string): TaskText | null {
  try {
    const words = taskText.parse(JSON.parse(text))
    return writeText(words) === text ? words : null
  } catch {
    return null
  }
}

/** A text that no contract would publish. */
export class TextTooLongError extends Error {
  override name = 'TextTooLongError'

  constructor(bytes: number) {
    super(
      `The task's text takes ${bytes} bytes; ${maxTextBytes} are allowed. Shorten the criteria, or link to a longer document by its hash.`,
    )
  }
}
