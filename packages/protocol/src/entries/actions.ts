export {
  type Action,
  type ActionContract,
  type ActionContracts,
  type AnyAction,
  actionContracts,
  type DeadlineKind,
  defineAction,
  deriveInput,
  encodeActionField,
  encodeActionInput,
  type InputSchema,
  listInputFields,
  type Payment,
  parseActionInput,
} from '../action.ts'
export {
  type ActionCall,
  type ActionInput,
  type ActionInputJson,
  type ActionName,
  actionList,
  actions,
  findAction,
  isActionName,
  type PrepareInput,
} from '../actions/index.ts'
export { type CallTarget, decodeAction, encodeAction } from '../callData.ts'
export { type Approval, buildCalls, type Call, type DecodedCalls, decodeCalls, type WalletBalances } from '../calls.ts'
export { findCallToken } from '../callToken.ts'
export { type Cost, computeCost, computeWalletTok } from '../cost.ts'
export { deadlines } from '../deadlines.ts'
export { findInboxEntry, type InboxEntry, type InboxRole, type InboxTask, inboxRoles } from '../inbox.ts'
export {
  type BlockedAction,
  findNextStep,
  listBlockedActions,
  listDueSteps,
  listNextSteps,
  type NextStep,
} from '../nextSteps.ts'
export { findNextMoment, listPendingActions, type PendingAction } from '../pendingActions.ts'
export {
  type CostLine,
  type DescribedCall,
  describeCalls,
  describeCosts,
  describeDeadline,
  formatActionTitle,
} from '../preview.ts'
export type { TaskContext } from '../taskContext.ts'
export { buildTaskContext, toDisputeFacts, toTaskFacts } from '../taskContext.ts'
export { buildPermitTypedData, type PermitPlan, planPermit, type TokenPermit } from '../tokenPermit.ts'
