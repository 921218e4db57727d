import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { givenHash } from '../wire.ts'

export const submitEvidence = defineAction({
  name: 'submit-evidence',
  summary: 'Speak in the dispute, by the hash of your evidence.',
  operation: { dispute: 'submitEvidence' },
  input: z.strictObject({ taskId, evidenceHash: givenHash }),
  contract: 'arbitration',
  functions: ['submitEvidence(uint256 taskId, bytes32 evidenceHash)'],
  proof: ['EvidenceSubmitted'],
})
