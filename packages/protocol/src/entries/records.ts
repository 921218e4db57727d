export {
  addShare,
  type BuyerLedger,
  buyerShare,
  emptyLedger,
  type Ledger,
  ledgerOf,
  type WorkerLedger,
  workerShare,
} from '../ledger.ts'
export type { AgentRecord, ArbitratorRecord, UnionRecord } from '../records/agent.ts'
export type { AppealRecord, DisputeRecord, SeatRecord } from '../records/dispute.ts'
export type { MilestoneRecord, TaskRecord } from '../records/task.ts'
export { type ReputationFacts, reputationFormula, reputationScore } from '../reputation.ts'
