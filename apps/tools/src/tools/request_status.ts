import { actions } from '@svc/protocol/actions'
import { requestJson } from '@svc/protocol/http'
import { z } from 'zod'
import { defineTool, ToolError } from '../tool.ts'

/** Of a request only what follows from the chain and the action table is told: its calls may carry words of a stranger. */
export const requestStatus = defineTool({
  name: 'svc_request_status',
  title: 'Status of a prepared request',
  description:
    'Where a request that svc-prepare sent to the local gateway stands: pending, submitted, confirmed, reverted, rejected or expired.',
  input: z.strictObject({
    requestId: z.string().regex(/^req_[A-Za-z0-9_-]{22}$/, 'not a requestId: req_ and 22 characters'),
    waitSeconds: z.int().min(0).max(25).default(0).describe('wait this long for it to settle'),
  }),
  output: z.looseObject({
    status: z.string(),
    settled: z.boolean(),
    approvalUrl: z.string(),
    nextStep: z.string(),
  }),
  async run({ requestId, waitSeconds }, { askGateway }) {
    const path = `/v1/requests/${requestId}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`
    const { success, data } = requestJson.safeParse(await askGateway(path))
    const action = success && actions.find(({ name }) => name === data.action)
    if (!success || !action || data.requestId !== requestId) {
      throw new ToolError(
        'GATEWAY_UNREACHABLE',
        'The gateway answered with something else than this request.',
        'Check that SVC_GATEWAY_URL is the gateway of this market.',
      )
    }
    return {
      requestId,
      status: data.status,
      statusCode: data.statusCode,
      settled: data.settled,
      action: action.name,
      summary: action.summary,
      market: data.market,
      ...(data.taskId && { taskId: data.taskId }),
      from: data.from,
      approvalUrl: urlOf(data.approvalUrl),
      createdAt: data.createdAt,
      expiresAt: data.expiresAt,
      transactionHashes: data.transactionHashes,
      preparedAt: data.block,
      nextStep: nextStep[data.status],
    }
  },
})

const nextStep = {
  pending: 'A person opens approvalUrl and signs; ask again, with waitSeconds 25.',
  submitted: 'The transaction is on its way; ask again, with waitSeconds 25.',
  confirmed: 'Done. Call svc_task_next_steps for what follows.',
  reverted: 'The chain refused it. Call svc_task_next_steps, and prepare again.',
  rejected: 'The person refused it. Ask them before you prepare it again.',
  expired: 'Nobody signed in time. Prepare it again.',
} as const

/** A link that a person will open: only a web address, written out. */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href.slice(0, 500) : ''
}
