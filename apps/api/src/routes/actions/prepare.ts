import { isMarket } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { preparedJson } from '@svc/protocol/http'
import { address, HttpError, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { defineCall } from '../../route.ts'

const byName = new Map(actions.map((action) => [action.name, action]))
const names = [...byName.keys()] as [string, ...string[]]

/** POST /api/actions/prepare: a write action ready to be signed. It writes nothing, and sends nothing. */
export const actionsPrepare = defineCall({
  method: 'post',
  path: '/api/actions/prepare',
  summary: 'Prepare a write action: calls to sign, what they mean and cost, and what they would do now.',
  description:
    'Nothing is sent: the wallet does that. An action that the contracts would refuse is prepared too, and its simulation says why.',
  tag: 'actions',
  input: {
    action: z.enum(names, `action must be one of ${names.join(', ')}`).describe('The name of the action.'),
    input: z
      .record(z.string().max(40), z.unknown())
      .describe('Its input; what the task itself answers may be left out.'),
    from: address.describe('The wallet that would sign, in any case.'),
  },
  strict: true,
  answer: preparedJson,
  errors: { 400: ['INVALID_TASK_ID', 'INVALID_MARKET'], 404: ['TASK_NOT_FOUND'], 503: ['CHAIN_UNREACHABLE'] },
  async call({ action: name, input, from }, { actions: deps }) {
    const action = byName.get(name)
    if (!action) throw new HttpError(400, 'INVALID_REQUEST', `There is no action ${name}.`)
    if ('taskId' in action.input.shape) taskIdOf(typeof input.taskId === 'string' ? input.taskId : undefined, undefined)
    else if (!isMarket(input.market)) throw new HttpError(400, 'INVALID_MARKET', 'input.market must be given.')
    return deps.prepare(action, input, from)
  },
})
