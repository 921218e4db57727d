export {
  addLedgerShare,
  type BuyerLedger,
  computeBuyerShare,
  computeLedger,
  computeWorkerShare,
  createLedger,
  type Ledger,
  type WorkerLedger,
} from '../ledger.ts'
export {
  type AgentRecord,
  type ArbitratorRecord,
  computeWithdrawableDeposit,
  type UnionRecord,
} from '../records/agent.ts'
export { type DisputeRecord, listSeatedJudges } from '../records/dispute.ts'
export type { MilestoneRecord, TaskRecord, TaskSnapshot } from '../records/task.ts'
export { computeReputationScore, type ReputationFacts, reputationFormula } from '../reputation.ts'
