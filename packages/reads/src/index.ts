export type { Comparison, Difference } from './compare.ts'
export {
  type Content,
  implementRead,
  parseBody,
  type Question,
  type ReadHandler,
  type ReadTraits,
  type SerializedBody,
} from './implementRead.ts'
export { listTasksAsText } from './market.ts'
export { findRead, reads } from './reads.ts'
export { readAnswer, UnverifiableError, type Verdict, type VerifyDeps, verifyAnswer } from './verifyAnswer.ts'
export { verifyEvent } from './verifyEvent.ts'
