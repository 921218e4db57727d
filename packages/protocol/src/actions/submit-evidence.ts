import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { nonZeroHash } from '../wire.ts'

export const submitEvidence = defineAction({
  name: 'submit-evidence',
  verb: 'Submit evidence',
  title: 'Submit evidence',
  done: 'Submitted evidence',
  explain: 'Adds the hash of your evidence to the dispute.',
  operation: { dispute: 'submitEvidence' },
  input: z.strictObject({ taskId, evidenceHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['submitEvidence(uint256 taskId, bytes32 evidenceHash)'],
  proof: ['EvidenceSubmitted'],
})
