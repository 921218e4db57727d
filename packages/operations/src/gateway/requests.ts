import * as z from 'zod'
import { actionCases } from '../actionInputs.ts'
import { requestJson } from '../json/prepared.ts'
import { defineCall } from '../operation.ts'
import { address, payFrom, requestId, signer, txHash } from '../params.ts'

/** One line without characters that hide or reverse text. */
const askerName = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u, 'asker must be a name of 1 to 60 visible characters')

export const createRequest = defineCall('createRequest', {
  summary: 'Prepare an action for a wallet to approve in the browser.',
  description:
    'The action is simulated first, and refused with `WOULD_REVERT` if the contracts would reject it. Open `approvalUrl` in a browser with the wallet to review and sign it.',
  tag: 'actions',
  input: z.strictObject({
    action: z.string('action is required').max(40).describe('Name of the action.'),
    input: z
      .record(z.string(), z.unknown(), 'input must be an object')
      .default({})
      .describe('Input of the action; you may omit fields that follow from the task.'),
    from: signer,
    payFrom,
    asker: askerName
      .optional()
      .describe('Name of the program that asks, as it calls itself. Whoever approves reads it.'),
  }),
  cases: actionCases,
  output: requestJson,
  errors: [
    'INVALID_TASK_ID',
    'INVALID_MARKET',
    'TASK_NOT_FOUND',
    'STATEMENT_REQUIRED',
    'QUOTA_REACHED',
    'WOULD_REVERT',
    'CHAIN_UNREACHABLE',
    'NO_POOL',
    'NO_LIQUIDITY',
    'NO_PRICE',
    'PRICE_OFF',
  ],
})

export const getRequest = defineCall('getRequest', {
  summary: 'Show a prepared request. With `wait`, the response comes when its status changes.',
  description: 'Only the chain decides: a request is `confirmed` when the event that proves it is on the chain.',
  tag: 'actions',
  input: z.object({
    id: requestId,
    wait: z
      .int('wait must be a number of seconds from 0 to 25')
      .min(0, 'wait must be a number of seconds from 0 to 25')
      .max(25, 'wait must be a number of seconds from 0 to 25')
      .default(0)
      .describe('Seconds to wait for a change, 0 to 25; default 0.'),
  }),
  output: requestJson,
  errors: ['REQUEST_NOT_FOUND'],
})

export const reportSubmission = defineCall('reportSubmission', {
  summary: 'Report what the wallet sent. The gateway checks it on the chain.',
  description:
    'The approval page calls this after the wallet has signed. A transaction that does not belong to the request is ignored.',
  tag: 'actions',
  input: z.object({
    id: requestId,
    account: address.describe('Account that sent the calls.'),
    callsId: z
      .string()
      .max(8_200)
      .optional()
      .describe('Id of the batch (EIP-5792). Not used: the chain does not know it.'),
    transactionHashes: z.array(txHash).max(8).default([]).describe('Hashes of the transactions that were sent.'),
  }),
  maxBody: 16 * 1024,
  output: requestJson,
  errors: ['REQUEST_NOT_FOUND', 'REQUEST_SETTLED'],
})

export const rejectRequest = defineCall('rejectRequest', {
  summary: 'Report that the owner of the wallet declined.',
  description: 'A request that was signed anyway is still confirmed if it reaches the chain in time.',
  tag: 'actions',
  input: z.object({ id: requestId }),
  output: requestJson,
  errors: ['REQUEST_NOT_FOUND', 'REQUEST_SETTLED'],
})
