import { HttpError } from '@svc/serve'
import { z } from 'zod'
import { defineCall } from '../route.ts'

const maxChars = 64_000

const message = z.strictObject({
  role: z.enum(['user', 'assistant'], 'role must be user or assistant'),
  content: z.string().min(1).max(16_000),
})

/** POST /api/role-chat: one turn of a conversation. The key stays here, and so does the choice of the model. */
export const roleChat = defineCall({
  method: 'post',
  path: '/api/role-chat',
  summary: 'Ask the chat gateway that the operator has configured.',
  description: 'Nothing is kept. What `system` says is added after the rules of the service, which it cannot change.',
  tag: 'service',
  input: {
    system: z.string().max(8_000).optional().describe('The role to take on, in words.'),
    messages: z
      .array(message)
      .min(1)
      .max(40)
      .refine((all) => all.at(-1)?.role === 'user', 'the last message must be of the user')
      .describe('The conversation so far; the last message is the question.'),
  },
  strict: true,
  maxBody: 256 * 1024,
  answer: z.object({ text: z.string(), model: z.string() }),
  errors: {
    400: ['INVALID_REQUEST'],
    413: ['BODY_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
    429: ['RATE_LIMITED', 'CHAT_BUSY'],
    502: ['CHAT_FAILED'],
    503: ['CHAT_NOT_CONFIGURED', 'CHAT_BUSY', 'DATABASE_UNREACHABLE'],
    504: ['CHAT_TIMED_OUT'],
  },
  admit: ({ chat }, { client }) => chat.admit(client),
  async call({ system, messages }, { chat }, { signal }) {
    const chars = messages.reduce((sum, { content }) => sum + content.length, system?.length ?? 0)
    if (chars > maxChars) throw new HttpError(400, 'INVALID_REQUEST', `More than ${maxChars} characters in all.`)
    return chat.ask({ system, messages }, signal)
  },
})
