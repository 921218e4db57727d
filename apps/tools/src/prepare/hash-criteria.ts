import { hashText } from '@svc/operations'
import { decodeTaskText, encodeTaskText, hashTaskText, TextTooLongError } from '@svc/protocol'
import { maxTextBytes, taskText } from '@svc/protocol/internal/tasks'
import * as z from 'zod/mini'
import type { Command } from './command.ts'
import { listFields } from './field.ts'
import { PrepareError } from './prepareError.ts'

const input = z.strictObject({ text: z.optional(z.string()), words: z.optional(taskText) })

/** Hashes a text, or the canonical text of a task. Works offline. */
export const hashCriteria: Command = {
  name: 'hash-criteria',
  summary: 'Hash the text of a task like the contracts do, or any other text: a proof, a reason, evidence.',
  fields: listFields(input),
  offline: true,
  answer: z.object({ criteriaHash: hashText, bytes: z.int(), canonical: z.boolean(), text: z.string() }),
  async run({ input: given }) {
    const { text: asIs, words } = given as z.infer<typeof input>
    if ((asIs === undefined) === (words === undefined)) {
      throw new PrepareError('usage', 'Pass either --text or --words.', {
        hint: '--text hashes a file unchanged; --words builds the canonical text of a task first.',
      })
    }
    const text = words === undefined ? (asIs ?? '') : encodeTaskText(words)
    const bytes = Buffer.byteLength(text)
    const { canonical } = decodeTaskText(text)
    if (canonical && bytes > maxTextBytes) throw new TextTooLongError(bytes)
    const hash = hashTaskText(text)
    return { json: { criteriaHash: hash, bytes, canonical, text }, lines: [hash] }
  },
}
