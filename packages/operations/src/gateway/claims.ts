import * as z from 'zod'
import { requestJson } from '../json/prepared.ts'
import { paymentRequiredJson, receiptAnswerJson } from '../json/receiptAnswer.ts'
import { defineCall } from '../operation.ts'
import { address, matchingMarket, readTaskId, taskId, taskIdInput } from '../params.ts'
import { claimHeaders, paymentRequiredHeader, paymentResponseHeader } from './payments.ts'

export const issueReceipt = defineCall('issueReceipt', {
  summary: 'Issue a readiness receipt for a wallet that can claim a task, or say what it lacks.',
  description:
    'Reads everything that a claim needs at one block and simulates the claim. The receipt is valid for one wallet, one task, this gateway and 600 seconds. With 402 the body has every check.',
  tag: 'actions',
  input: z
    .object({ taskId: taskIdInput, address, market: matchingMarket })
    .transform(({ taskId, market, address }, context) => {
      const task = readTaskId(taskId, context, ['taskId'], market)
      return task ? { task, address } : z.NEVER
    }),
  maxBody: 4_096,
  output: receiptAnswerJson,
  errorBodies: { 402: paymentRequiredJson },
  errors: ['NOT_READY', 'TASK_NOT_FOUND', 'CHAIN_UNREACHABLE'],
})

export const claimTask = defineCall('claimTask', {
  summary: 'Prepare a claim. Returns 402 until you send a valid receipt in the header PAYMENT-RECEIPT.',
  description:
    'The gateway simulates the claim again before it prepares it. One receipt gives one request, however often you send it. The 402 offers nothing that costs money: it only asks for the receipt.',
  tag: 'actions',
  input: z.object({ id: taskId }),
  output: requestJson,
  headers: claimHeaders,
  responseHeaders: { 200: paymentResponseHeader, 402: paymentRequiredHeader },
  errorBodies: { 402: paymentRequiredJson },
  errors: ['PAYMENT_REQUIRED', 'INVALID_TASK_ID', 'TASK_NOT_FOUND', 'WOULD_REVERT', 'CHAIN_UNREACHABLE'],
})
