import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { tokWei } from '../wire.ts'

export const fundTask = defineAction({
  name: 'fund-task',
  summary: 'Put TOK for your task into escrow.',
  operation: { task: 'fund' },
  as: 'poster',
  input: z.strictObject({ taskId, amountTokWei: tokWei }),
  contract: 'taskRegistry',
  functions: ['fund(uint256 taskId, uint256 amountTokWei)'],
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  // All that is missing, as far as the wallet goes.
  known: ({ task: { total, funded }, account }, wallet) => {
    const { tok } = account(wallet)
    return { amountTokWei: funded + tok < total ? tok : total - funded }
  },
  proof: ['TaskFunded'],
})
