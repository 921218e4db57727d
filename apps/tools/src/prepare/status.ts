import { requestJson } from '@svc/protocol/http'
import type { Command } from './command.ts'
import { followRequest, unknownRequest } from './follow.ts'
import { createGateway } from './gateway.ts'
import { PrepareError } from './prepareError.ts'
import { settledLines } from './settled.ts'

/** Looks at a request again, and waits until it settles. */
export const status: Command = {
  name: 'status',
  summary: 'Look at a request at the gateway, and wait until it settles.',
  operands: [{ name: 'requestId', words: 'as the command that prepared it said' }],
  fields: [],
  waits: true,
  answer: requestJson,
  async run(call) {
    const [requestId = ''] = call.operands
    if (!/^req_[A-Za-z0-9_-]{22}$/.test(requestId)) {
      throw new PrepareError('usage', 'That is no request id: req_ and 22 characters.', {
        hint: 'It is in what the command that prepared it said.',
      })
    }
    const { env } = await call.open()
    const gateway = createGateway(env.SVC_GATEWAY_URL)
    const request = call.wait ? await followRequest(gateway, requestId, call) : await gateway.look(requestId, 0)
    if (!request) throw unknownRequest(requestId)
    return { json: request, lines: [{ heading: request.summary }, ...settledLines(request)] }
  },
}
