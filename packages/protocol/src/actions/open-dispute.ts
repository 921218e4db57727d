import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { bps } from '../amounts.ts'
import { taskId } from '../taskId.ts'
import { milestone, nonZeroHash, shareBps } from '../wire.ts'

/** While silence would pay, the poster opens; a worker opens where the store gave no receipt. */
export const openDispute = defineAction({
  name: 'open-dispute',
  verb: 'Open a dispute',
  title: 'Open a dispute',
  done: 'Opened a dispute',
  explain:
    "Takes the delivery to arbitration with the hash of your evidence and the worker's share that you accept; a poster puts up a tenth of the milestone in TOK and a whole reserve of 8 USDC.",
  operation: { task: 'openDispute' },
  input: z.strictObject({ taskId, milestone, evidenceHash: nonZeroHash, shareBps }),
  contract: 'taskRegistry',
  functions: ['openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash, uint256 shareBps)'],
  // By default each side asks for everything.
  derive: {
    milestone: ({ task }) => BigInt(task.current),
    shareBps: ({ task }, wallet) => (wallet === task.poster ? 0n : bps),
  },
  deadline: 'consent',
  proof: ['DisputeOpened'],
})
