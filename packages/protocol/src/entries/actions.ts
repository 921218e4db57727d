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
export { type Cost, computeCost } from '../cost.ts'
export { deadlines } from '../deadlines.ts'
export { type BlockedAction, listBlockedActions, listNextSteps, type NextStep } from '../nextSteps.ts'
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
export { buildTaskContext } from '../taskContext.ts'
