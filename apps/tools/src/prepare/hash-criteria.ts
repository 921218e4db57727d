import { criteriaHash, maxTextBytes, readText, TextTooLongError, taskText, writeText } from '@svc/protocol'
import { hashText } from '@svc/protocol/http'
import * as z from 'zod/mini'
import type { Command } from './command.ts'
import { fieldsOf } from './field.ts'
import { PrepareError } from './prepareError.ts'

const input = z.strictObject({ text: z.optional(z.string()), words: z.optional(taskText) })

/** Hashes a text, or the words of a task as the text that is published. Asks nobody. */
export const hashCriteria: Command = {
  name: 'hash-criteria',
  summary: 'Hash the words of a task as the contracts do, or any other text: a proof, a reason, evidence.',
  fields: fieldsOf(input),
  answer: z.object({ criteriaHash: hashText, bytes: z.int(), canonical: z.boolean(), text: z.string() }),
  async run({ input: given }) {
    const { text: asIs, words } = given as z.infer<typeof input>
    if ((asIs === undefined) === (words === undefined)) {
      throw new PrepareError('usage', 'Give one of --text and --words.', {
        hint: '--text hashes a file as it is; --words makes the text of a task first.',
      })
    }
    const text = words === undefined ? (asIs ?? '') : writeText(words)
    const bytes = Buffer.byteLength(text)
    const { canonical } = readText(text)
    if (canonical && bytes > maxTextBytes) throw new TextTooLongError(bytes)
    const hash = criteriaHash(text)
    return { json: { criteriaHash: hash, bytes, canonical, text }, lines: [hash] }
  },
}
