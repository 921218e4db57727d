import { taskId } from '@svc/protocol'
import { receiptAnswerJson } from '@svc/protocol/http'
import * as z from 'zod/mini'
import { type Command, walletOf } from './command.ts'
import { fieldsOf } from './field.ts'
import { createGateway } from './gateway.ts'
import { requireFields } from './readFields.ts'

const fields = fieldsOf(z.strictObject({ taskId }))

/** Asks the gateway whether a wallet is ready to claim a task; its receipt opens the gateway's claim route. */
export const prepareReceipt: Command = {
  name: 'prepare-receipt',
  summary: 'Get a readiness receipt for the claim of a task from the gateway.',
  fields,
  from: 'required',
  answer: receiptAnswerJson,
  async run(call) {
    requireFields(fields, call.input)
    const { env } = await call.open()
    const gateway = createGateway(env.SVC_GATEWAY_URL)
    const answer = await gateway.receipt({ taskId: String(call.input.taskId), address: walletOf(call) })
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
