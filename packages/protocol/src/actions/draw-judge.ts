import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

/** There is one draw. If it finds nobody, or its block is forgotten, the final court decides. */
export const drawJudge = defineAction({
  name: 'draw-judge',
  verb: 'Draw judge',
  title: 'Draw a judge',
  done: 'Moved the draw of the judge forward',
  explain:
    'Draws a judge by bond: the first call schedules the draw, a second one some blocks later seats the judge or calls the final court.',
  operation: { dispute: 'seat' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['seat(uint256 taskId)'],
  deadline: 'ruling',
  proof: ['DrawScheduled', 'JudgeSeated', 'CourtCalled'],
})
