import { receiptAnswerJson } from '@svc/operations'
import { taskId } from '@svc/protocol/internal/tasks'
import * as z from 'zod/mini'
import { type Command, requireWallet } from './command.ts'
import { listFields } from './field.ts'
import { createGatewayClient } from './gatewayClient.ts'
import { requireFields } from './readFields.ts'

const fields = listFields(z.strictObject({ taskId }))

/** Gets a readiness receipt for a claim from the gateway. The receipt gives access to the gateway's claim route. */
export const prepareReceipt: Command = {
  name: 'prepare-receipt',
  summary: 'Get a readiness receipt from the gateway for claiming a task.',
  fields,
  from: 'required',
  answer: receiptAnswerJson,
  async run(call) {
    requireFields(fields, call.input)
    const { env } = await call.open()
    const gateway = createGatewayClient(env.SVC_GATEWAY_URL)
    const answer = await gateway.getReceipt({ taskId: String(call.input.taskId), address: requireWallet(call) })
    const { header, expiresAt, checks } = answer
    return {
      json: answer,
      lines: [
        { heading: `Ready to claim ${call.input.taskId}` },
        ...checks.map(({ name, ok }) => `  ${ok ? 'ok  ' : 'fail'}  ${name}`),
        '',
        `Send this header to ${gateway.url}/v1/tasks/${call.input.taskId}/claim until ${expiresAt}:`,
        `  ${header.name}: ${header.value}`,
      ],
    }
  },
}
