export {
  computeWorstCase,
  describeWorstCase,
  encodeGrant,
  type Grant,
  type GrantUse,
  grantUses,
  listGrantedActions,
  listGrantedSelectors,
  parseGrant,
  type WorstCase,
} from '@svc/protocol/internal/grants'
export { type Agent, createAgent, type Offer, type OfferFilter } from './agent.ts'
export type { DoWork, Job, JobEnd, Outbox, UntrustedTask, WorkRequest } from './job.ts'
export { createJournalFile, type Journal, type JournalEntry } from './journal.ts'
export type { Applicant, Order, OrderDecisions, OrderDraft } from './order.ts'
export {
  type ChainAccess,
  type GrantRequest,
  type PlannedGrant,
  planGrant,
  readIsRevoked,
  revokeGrant,
  signGrant,
} from './owner.ts'
export { type AgentOptions, LimitError, type ReceivedWork, signInAgent } from './place.ts'
export { type ActRequest, type ActResult, createSigner, type Signer, type SignerOptions } from './signer.ts'
export { serveSigner, unixSocket } from './socket.ts'
export type { JobTool } from './tools.ts'
