export {
  type ActionContracts,
  type AnyAction,
  encodeActionInput,
  listInputFields,
  parseActionInput,
} from '../actions/action.ts'
export {
  buildCalls,
  type Call,
  decodeCalls,
  type WalletBalances,
} from '../actions/calls.ts'
export { type Cost, computeCost } from '../actions/cost.ts'
export {
  type ActionInput,
  type ActionInputJson,
  type ActionName,
  actionList,
  actions,
  findAction,
  type PrepareInput,
} from '../actions/index.ts'
export { describeCalls } from '../actions/preview.ts'
export { buildPermitTypedData, planPermit } from '../actions/tokenPermit.ts'
export { listBlockedActions, listNextSteps, type NextStep } from '../steps/nextSteps.ts'
export { buildTaskContext, type TaskContext } from '../tasks/taskContext.ts'
