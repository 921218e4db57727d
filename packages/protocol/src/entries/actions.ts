export {
  type Action,
  type ActionContract,
  type ActionContracts,
  type AnyAction,
  actionContracts,
  type Clock,
  defineAction,
  type Payment,
  readInput,
  writeField,
  writeInput,
} from '../action.ts'
export { actions } from '../actions/index.ts'
export { decodeAction, encodeAction, type Place } from '../callData.ts'
export { type Approval, type Call, callsOf, type DecodedCalls, decodeCalls, type Purse } from '../calls.ts'
export { clocks } from '../clocks.ts'
export { type Cost, costOf } from '../cost.ts'
export { type NextStep, nextSteps } from '../nextSteps.ts'
export { type PendingAction, pendingActions } from '../pendingActions.ts'
export type { Standing } from '../standing.ts'
