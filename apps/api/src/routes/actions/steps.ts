import { metaJson, metaJsonOf, stepJson } from '@svc/protocol/http'
import { address, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { defineCall } from '../../route.ts'

/** GET /api/actions/steps: what one wallet may do with one task now. */
export const actionsSteps = defineCall({
  method: 'get',
  path: '/api/actions/steps',
  summary: 'List what a wallet may do with a task now, what it must bring, and what it costs.',
  description: 'Exact at the block of the answer: what is not listed, the contracts refuse.',
  tag: 'actions',
  input: { id: z.string().max(120).describe('The task, v2:<market>:<number>.'), address },
  answer: z.object({ steps: z.array(stepJson), meta: metaJson }),
  errors: { 400: ['INVALID_TASK_ID'], 404: ['TASK_NOT_FOUND'], 503: ['CHAIN_UNREACHABLE'] },
  async call({ id, address }, { actions }) {
    const taskId = taskIdOf(id, undefined)
    const { steps, block } = await actions.steps(taskId, address)
    return { steps, meta: metaJsonOf(taskId.market, block, false) }
  },
})
