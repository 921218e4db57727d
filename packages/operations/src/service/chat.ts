import * as z from 'zod'
import { defineCall } from '../operation.ts'

const maxChars = 64_000

const message = z.strictObject({
  role: z.enum(['user', 'assistant'], 'role must be user or assistant').describe('Who wrote the message.'),
  content: z.string().min(1).max(16_000).describe('Text of the message.'),
})

export const chat = defineCall('chat', {
  summary: 'Ask the chat gateway that the operator has configured.',
  description: 'Nothing is stored. `system` is added after the rules of the service and cannot change them.',
  tag: 'service',
  input: z
    .strictObject({
      system: z.string().max(8_000).optional().describe('Instructions for the assistant, up to 8,000 characters.'),
      messages: z
        .array(message)
        .min(1)
        .max(40)
        .refine((all) => all.at(-1)?.role === 'user', 'the last message must be of the user')
        .describe('The conversation so far; the last message is the question.'),
    })
    .refine(
      ({ system = '', messages }) =>
        messages.reduce((sum, { content }) => sum + content.length, system.length) <= maxChars,
      `More than ${maxChars} characters in total.`,
    ),
  maxBody: 256 * 1024,
  output: z.object({
    text: z.string().describe('Reply of the model.'),
    model: z.string().describe('Model that replied; the operator chooses it.'),
  }),
  errors: [
    'INVALID_REQUEST',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'CHAT_RATE_LIMITED',
    'CHAT_FAILED',
    'CHAT_NOT_CONFIGURED',
    'CHAT_BUSY',
    'DATABASE_UNREACHABLE',
    'CHAT_TIMED_OUT',
  ],
})
