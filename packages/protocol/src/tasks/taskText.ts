import { type Hex, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { isPlainText, normalizeText } from '../base/plainText.ts'
import { SvcError } from '../base/svcError.ts'
import { maxMilestones } from '../money/amounts.ts'
import { briefFiles } from '../work/briefFiles.ts'
import { signedStatement } from '../work/wire.ts'
import { tagRules } from './tagRules.ts'

/** The maximum size of a task's text, in bytes of UTF-8. Open tasks publish it on chain. */
export const maxTextBytes = 8_192
export const maxTitleLength = 120

/** One line of at most 120 characters. */
export const title = z.string().check(
  z.minLength(1),
  z.maxLength(maxTitleLength),
  z.refine((text) => isPlainText(text), 'one line, without invisible characters or spaces around it'),
)

/** Text of any number of lines. */
export const prose = z.string().check(
  z.minLength(1),
  z.maxLength(maxTextBytes),
  z.refine(
    (text) => isPlainText(text.replaceAll('\n', ' ').trim()) && text === normalizeText(text),
    'text without invisible characters or spaces around it',
  ),
)

/** Words that a search can filter by: `translation`, or with a key, `lang:pt`. */
export const tags = z
  .array(
    z
      .string()
      .check(
        z.maxLength(tagRules.maxLength),
        z.regex(
          tagRules.pattern,
          'a tag is lower-case letters, digits and hyphens, such as "translation" or "lang:pt"',
        ),
      ),
  )
  .check(
    z.minLength(1),
    z.maxLength(tagRules.most),
    z.refine((list) => new Set(list).size === list.length, 'each tag once'),
  )

/** The text of a task. The numbers are in the terms. */
export const taskText = z.strictObject({
  title,
  /** What must be true for the work to be accepted. */
  criteria: prose,
  /** A title for each milestone. */
  milestones: z.array(title).check(z.minLength(1), z.maxLength(maxMilestones)),
  /**
   * The poster's key statement: deliveries are sealed for its reading key. The hash of the text is on chain, so no store can
   * hide or swap it. Terms with a store need one.
   */
  statement: z.optional(signedStatement),
  tags: z.optional(tags),
  /** Files of the brief. The bytes are at a store; the hashes of those for everyone are fixed by the text. */
  files: z.optional(briefFiles),
})

export type TaskText = z.infer<typeof taskText>

/**
 * Encodes the text of a task as it is published and hashed. Throws zod's error for text that is not normalized or has
 * hidden characters, and {@link TextTooLongError} for too much text.
 *
 * @example
 * ```ts
 * const text = encodeTaskText({ title: 'Draw a map', criteria: 'It shows the harbour.', milestones: ['Draft', 'Final'] })
 * ```
 */
export function encodeTaskText(content: TaskText): string {
  const text = canonicalizeJson(taskText.parse(content))
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxTextBytes) throw new TextTooLongError(bytes)
  return text
}

/**
 * Decodes a published text, which is untrusted. Text that `encodeTaskText` did not write becomes the criteria, and its first
 * line the title.
 *
 * @example
 * ```ts
 * const { title, criteria, canonical } = decodeTaskText(text)
 * ```
 */
export function decodeTaskText(text: string): TaskText & { canonical: boolean } {
  const content = parseText(text)
  if (content) return { ...content, canonical: true }
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  // The cut may go through a surrogate pair.
  return { title: first.slice(0, maxTitleLength).toWellFormed(), criteria: text, milestones: [], canonical: false }
}

/**
 * Hashes a text with keccak256, like the contracts do: this is the `criteriaHash` of the terms.
 *
 * @example
 * ```ts
 * hashTaskText(encodeTaskText(taskText)) === terms.criteriaHash
 * ```
 */
export function hashTaskText(text: string): Hex {
  return keccak256(stringToHex(text))
}

function parseText(text: string): TaskText | null {
  try {
    const content = taskText.parse(JSON.parse(text))
    return encodeTaskText(content) === text ? content : null
  } catch {
    return null
  }
}

/** Thrown for a text that is too long to be published. */
export class TextTooLongError extends SvcError {
  override name = 'TextTooLongError'

  constructor(bytes: number) {
    super(
      'TEXT_TOO_LONG',
      `The task's text has ${bytes} bytes, but the limit is ${maxTextBytes}. Shorten the criteria, or refer to a longer document by its hash.`,
    )
  }
}
