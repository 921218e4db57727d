import { requestJson } from '@svc/operations'
import { recordConfirmedPost } from '../postingQuota.ts'
import type { Command } from './command.ts'
import { createUnknownRequestError, followRequest } from './followRequest.ts'
import { createGatewayClient } from './gatewayClient.ts'
import { PrepareError } from './prepareError.ts'
import { renderOutcome } from './renderOutcome.ts'

/** Shows a request and waits until it is settled. */
export const status: Command = {
  name: 'status',
  summary: 'Show a request at the gateway and wait until it is settled.',
  operands: [{ name: 'requestId', description: 'the id that was printed when the request was created' }],
  fields: [],
  waits: true,
  answer: requestJson,
  async run(call) {
    const [requestId = ''] = call.operands
    if (!/^req_[A-Za-z0-9_-]{22}$/.test(requestId)) {
      throw new PrepareError('usage', 'Not a valid request id. Expected req_ and 22 characters.', {
        hint: 'The command that created the request printed it.',
      })
    }
    const { env, markets } = await call.open()
    const gateway = createGatewayClient(env.SVC_GATEWAY_URL)
    const request = call.wait ? await followRequest(gateway, requestId, call) : await gateway.getRequest(requestId, 0)
    if (!request) throw createUnknownRequestError(requestId)
    if (call.wait) await recordConfirmedPost(request, { env, markets })
    return { json: request, lines: [{ heading: request.title }, ...renderOutcome(request)] }
  },
}
