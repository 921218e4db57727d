export { computeReputationScore } from '../people/reputation.ts'
export type { AgentRecord, ArbitratorRecord } from '../records/agent.ts'
export type { DisputeRecord } from '../records/dispute.ts'
export type { TaskRecord } from '../records/task.ts'
