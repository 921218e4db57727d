import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const seatPanel = defineAction({
  name: 'seat-panel',
  verb: 'Seat panel',
  title: 'Draw and seat a panel',
  done: 'Moved the draw of the panel forward',
  explain:
    'Draws arbitrators by bond: the first call schedules the draw, a second one some blocks later seats the panel.',
  operation: { dispute: 'seat' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['seat(uint256 taskId)'],
  deadline: 'evidence',
  proof: ['DrawScheduled', 'PanelSeated'],
})
