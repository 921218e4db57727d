import { requestJson } from '@svc/operations'
import { findAction } from '@svc/protocol/actions'
import { z } from 'zod'
import { sanitizeUrl } from '../askGateway.ts'
import { defineTool, ToolError } from '../tool.ts'

/** Returns only fields that come from the chain and the action table, because the calls can contain untrusted text. */
export const requestStatus = defineTool({
  name: 'svc_request_status',
  title: 'Status of a prepared request',
  description: 'Whether a prepared request is pending, submitted, confirmed, reverted, rejected or expired.',
  input: z.strictObject({
    requestId: z
      .string()
      .regex(/^req_[A-Za-z0-9_-]{22}$/, 'not a valid requestId: expected req_ and 22 characters')
      .describe('requestId that svc_prepare or svc-prepare returned.'),
    waitSeconds: z.int().min(0).max(25).default(0).describe('Seconds to wait for it to settle.'),
  }),
  output: z.looseObject({
    status: z.string().describe('pending, submitted, confirmed, reverted, rejected or expired.'),
    settled: z.boolean().describe('True if you can stop polling.'),
    approvalUrl: z.string().describe('Page where a person reviews and signs the request.'),
    nextStep: z.string().describe('What to do now.'),
  }),
  async run({ requestId, waitSeconds }, { askGateway }) {
    const path = `/v1/requests/${requestId}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`
    const { success, data } = requestJson.safeParse(await askGateway(path))
    const action = success && findAction(data.action)
    if (!success || !action || data.requestId !== requestId) {
      throw new ToolError(
        'GATEWAY_UNREACHABLE',
        'The gateway returned something other than this request.',
        'Check that SVC_GATEWAY_URL points to a gateway of this market.',
      )
    }
    return {
      requestId,
      status: data.status,
      statusCode: data.statusCode,
      settled: data.settled,
      action: action.name,
      title: action.title,
      explain: action.explain,
      market: data.market,
      ...(data.taskId && { taskId: data.taskId }),
      from: data.from,
      approvalUrl: sanitizeUrl(data.approvalUrl),
      createdAt: data.createdAt,
      expiresAt: data.expiresAt,
      transactionHashes: data.transactionHashes,
      preparedAt: data.block,
      nextStep: nextStep[data.status],
    }
  },
})

const nextStep = {
  pending: 'A person must open approvalUrl and sign. Call again with waitSeconds 25.',
  submitted: 'The transaction is pending. Call again with waitSeconds 25.',
  confirmed: 'Done. Call svc_task_next_steps for the next steps.',
  reverted: 'The transaction reverted. Call svc_task_next_steps, then prepare again.',
  rejected: 'The person rejected it. Ask them before you prepare it again.',
  expired: 'Nobody signed in time. Prepare it again.',
} as const
