import { elsewhere, proven, type Statement } from './statement.ts'

const path = '/api/role-chat'
const question = { system: 'You are a guide.', messages: [{ role: 'user', content: 'What is a task?' }] }

/** The chat proxy, by section of the specification. */
export const chat: readonly Statement[] = [
  ...proven(2, [
    [
      'POST /api/role-chat 200',
      'The request has system and messages of role and content; the response has text and model',
      async ({ client, expect }) => {
        const { body } = await client.chat({
          ...question,
          messages: [{ role: 'user', content: 'What is a task?' }],
        })
        expect(body).toEqual({ text: 'A task is work for a wallet.', model: 'fake-1' })
      },
    ],
  ]),
  ...proven(4, [
    [
      'POST /api/role-chat 400',
      'The body is a role chat request',
      async ({ post, expect }) => {
        for (const body of [
          {},
          { messages: [] },
          { messages: 'hello' },
          { messages: [{ role: 'user' }] },
          { ...question, model: 'x' },
        ]) {
          expect(await post(path, body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
        }
      },
    ],
    [
      'POST /api/role-chat 502',
      'A failing gateway is reported, without its details',
      async ({ post, expect }) => {
        const { status, body } = await post(path, question, 'failing')
        expect({ status, body }).toEqual({
          status: 502,
          body: { code: 'CHAT_FAILED', error: 'The chat gateway failed.' },
        })
      },
    ],
    [
      'POST /api/role-chat 504',
      'A gateway that hangs is not waited for',
      async ({ post, expect }) => {
        expect(await post(path, question, 'hanging')).toMatchObject({ status: 504, body: { code: 'CHAT_TIMED_OUT' } })
      },
    ],
  ]),
  ...elsewhere(5, [
    [
      'The server forwards with Authorization: Bearer and application/json, a body of model and messages',
      'test/api/chat.test.ts',
      'POST /api/role-chat 200',
    ],
    [
      'Browsers never hold the key',
      'test/api/chat.test.ts',
      'Every byte that any service sent, to search it for the key',
    ],
  ]),
  ...proven(7, [
    [
      'POST /api/role-chat 503',
      'Without the key: the error is the variable name followed by a not-configured message',
      async ({ post, expect }) => {
        const { status, body } = await post(path, question, 'keyless')
        expect(status).toBe(503)
        expect(body.error).toBe('LLM_GATEWAY_API_KEY is not configured')
      },
    ],
  ]),
]
