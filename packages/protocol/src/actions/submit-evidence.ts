import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { bps } from '../amounts.ts'
import { taskId } from '../taskId.ts'
import { nonZeroHash, shareBps } from '../wire.ts'

/** Each party moves its share only towards the other's. If the two meet, the dispute ends there. */
export const submitEvidence = defineAction({
  name: 'submit-evidence',
  verb: 'Submit evidence',
  title: 'Submit evidence',
  done: 'Submitted evidence',
  explain:
    "Adds the hash of your evidence to the dispute and names the worker's share that you accept; it moves only towards the other party's, and the dispute ends where the two meet.",
  operation: { dispute: 'submitEvidence' },
  input: z.strictObject({ taskId, evidenceHash: nonZeroHash, shareBps }),
  contract: 'arbitration',
  functions: ['submitEvidence(uint256 taskId, bytes32 evidenceHash, uint256 shareBps)'],
  // By default a party stays where it is.
  derive: {
    shareBps: ({ task, dispute }, wallet) =>
      wallet === task.poster ? (dispute?.offerBps ?? 0n) : (dispute?.askBps ?? bps),
  },
  proof: ['EvidenceSubmitted'],
})
