import { actions } from '@svc/protocol/actions'
import * as z from 'zod'
import { actionCases } from '../actionInputs.ts'
import { metaJson } from '../json/meta.ts'
import { preparedJson } from '../json/prepared.ts'
import { blockedJson, stepJson } from '../json/steps.ts'
import { defineCall } from '../operation.ts'
import { address, payFrom, signer, taskId } from '../params.ts'

export const listSteps = defineCall('listSteps', {
  summary: 'List what a wallet may do with a task now, what you must supply, and what it costs.',
  description: 'Exact at the block of the response: the contracts reject every action that is not listed.',
  tag: 'actions',
  chainCost: 12,
  input: z.object({ id: taskId, address }),
  output: z.object({
    steps: z.array(stepJson).describe('Actions that the contracts would accept now.'),
    blocked: z
      .array(blockedJson)
      .describe('Rules that keep the wallet from acting, with what would change that; never empty if `steps` is.'),
    meta: metaJson,
  }),
  errors: ['INVALID_TASK_ID', 'TASK_NOT_FOUND', 'CHAIN_UNREACHABLE'],
})

const names = Object.values(actions).map(({ name }) => name)

export const prepareAction = defineCall('prepareAction', {
  summary: 'Prepare a write action: the calls to sign, their meaning and cost, and their simulated effect.',
  description:
    'Nothing is sent: the wallet does that. An action that the contracts would reject is prepared too; its simulation says why. A post beyond the daily quota is refused with 429.',
  tag: 'actions',
  chainCost: 12,
  input: z.strictObject({
    action: z.enum(names, `action must be one of ${names.join(', ')}`).describe('Name of the action.'),
    input: z
      .record(z.string().max(40), z.unknown())
      .describe('Input of the action; you may omit fields that follow from the task.'),
    from: signer,
    payFrom,
  }),
  cases: actionCases,
  output: preparedJson,
  errors: [
    'INVALID_TASK_ID',
    'INVALID_MARKET',
    'TASK_NOT_FOUND',
    'STATEMENT_REQUIRED',
    'QUOTA_REACHED',
    'CHAIN_UNREACHABLE',
    'NO_POOL',
    'NO_LIQUIDITY',
    'NO_PRICE',
    'PRICE_OFF',
  ],
})
