import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { tokWei } from '../wire.ts'

export const fundTask = defineAction({
  name: 'fund-task',
  verb: 'Fund task',
  title: 'Fund the task',
  done: 'Funded the task',
  explain: 'Puts TOK for your task into escrow, and refills the reserve of your deposit to 8 USDC.',
  operation: { task: 'fund' },
  side: 'poster',
  input: z.strictObject({ taskId, amountTokWei: tokWei }),
  contract: 'taskRegistry',
  functions: ['fund(uint256 taskId, uint256 amountTokWei)'],
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  // What is missing, or as much of it as the wallet has.
  derive: {
    amountTokWei: ({ task: { total, funded }, account }, wallet) => {
      const { tok } = account(wallet)
      return funded + tok < total ? tok : total - funded
    },
  },
  proof: ['TaskFunded'],
})
