export {
  computeWithdrawableDeposit,
  type EntriesRecord,
  type ReserveRecord,
  type UnionRecord,
} from '../../records/agent.ts'
export { findAskedJudge, listSeatedJudges } from '../../records/dispute.ts'
export type { TaskSnapshot } from '../../records/task.ts'
