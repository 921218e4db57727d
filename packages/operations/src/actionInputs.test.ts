import { expect, test } from 'vitest'
import { describePrepareInput } from './actionInputs.ts'

test('fields that follow from the task may be omitted', () => {
  const proof = { taskId: 'v2:micro:1', proofHash: `0x${'1'.repeat(64)}` }
  expect(describePrepareInput('submit-proof').safeParse(proof).success).toBe(true)
  expect(describePrepareInput('submit-proof').safeParse({ taskId: proof.taskId }).success).toBe(false)
})

test('a permit may be omitted, and is read in full', () => {
  const claim = { taskId: 'v2:micro:1', settlementDigest: `0x${'2'.repeat(64)}` }
  const permit = { nonce: '1', expiry: 1_800_000_000, data: `0x${'3'.repeat(130)}` }
  expect(describePrepareInput('claim-task').safeParse(claim).success).toBe(true)
  expect(describePrepareInput('claim-task').safeParse({ ...claim, permit }).success).toBe(true)
  expect(describePrepareInput('claim-task').safeParse({ ...claim, permit: { nonce: '1' } }).success).toBe(false)
})
