import { z } from 'zod'
import { meta, taskId, wallet } from '../fields.ts'
import { taskAnswer } from '../taskAnswer.ts'
import { defineTool } from '../tool.ts'

export const getTask = defineTool({
  name: 'svc_get_task',
  title: 'Read a task',
  description:
    'One task: state, money, clocks, milestones, dispute, events, and its poster’s words in untrusted* fields. With wallet: claimDigest, which claim-task asks for.',
  input: z.strictObject({ id: taskId.describe('v2:<market>:<number>'), wallet: wallet.optional() }),
  output: z.looseObject({
    task: z.looseObject({
      id: z.string(),
      state: z.string(),
      phase: z.string(),
      totalAmountTokWei: z.string(),
      untrustedCriteria: z.string().optional(),
    }),
    meta,
  }),
  run: ({ id, wallet }, deps) => taskAnswer(deps, id, wallet),
})
