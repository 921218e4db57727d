import * as z from 'zod'
import { requestJson } from '../json/prepared.ts'
import { receiptAnswerJson } from '../json/receiptAnswer.ts'
import { defineCall } from '../operation.ts'
import { address, matchingMarket, readTaskId, taskId, taskIdInput } from '../params.ts'

export const issueReceipt = defineCall('issueReceipt', {
  summary: 'Issue a readiness receipt for a wallet that can claim a task, or say what it lacks.',
  tag: 'actions',
  input: z
    .object({ taskId: taskIdInput, address, market: matchingMarket })
    .transform(({ taskId, market, address }, context) => {
      const task = readTaskId(taskId, context, ['taskId'], market)
      return task ? { task, address } : z.NEVER
    }),
  maxBody: 4_096,
  output: receiptAnswerJson,
  errors: ['NOT_READY', 'TASK_NOT_FOUND', 'CHAIN_UNREACHABLE'],
})

export const claimTask = defineCall('claimTask', {
  summary: 'Prepare a claim. Returns 402 until you send a valid receipt in the header PAYMENT-RECEIPT.',
  tag: 'actions',
  input: z.object({ id: taskId }),
  output: requestJson,
  errors: ['PAYMENT_REQUIRED', 'INVALID_TASK_ID', 'TASK_NOT_FOUND', 'CHAIN_UNREACHABLE'],
})
