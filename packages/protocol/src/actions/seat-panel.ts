import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const seatPanel = defineAction({
  name: 'seat-panel',
  summary: 'Have arbitrators drawn by bond: call the draw, then, some blocks later, seat them.',
  operation: { dispute: 'seat' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['seat(uint256 taskId)'],
  clock: 'evidence',
  proof: ['DrawScheduled', 'PanelSeated'],
})
