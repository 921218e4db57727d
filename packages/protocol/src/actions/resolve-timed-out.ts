import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const resolveTimedOut = defineAction({
  name: 'resolve-timed-out',
  summary: 'End the wait for arbitrators who are silent or cannot be found; anyone may.',
  operation: { dispute: 'resolveTimedOut' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['resolveTimedOut(uint256 taskId)'],
  proof: ['CaseClosed', 'Ruled', 'PanelReplaced'],
})
