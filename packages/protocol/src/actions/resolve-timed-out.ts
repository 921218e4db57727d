import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const resolveTimedOut = defineAction({
  name: 'resolve-timed-out',
  verb: 'Resolve timed-out dispute',
  title: 'Resolve a timed-out dispute',
  done: 'Resolved the timed-out dispute',
  explain:
    'Moves a dispute on whose time is over: the final court is called, or its silence lets the ruling stand or the side that did not open the dispute win; anyone can do this.',
  operation: { dispute: 'resolveTimedOut' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['resolveTimedOut(uint256 taskId)'],
  proof: ['CourtCalled', 'CaseClosed'],
})
