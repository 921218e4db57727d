export {
  type ActionContract,
  actionContracts,
  deriveInput,
  encodeActionField,
  findContract,
  getContract,
} from '../../actions/action.ts'
export { computeMissingTok, listBefore } from '../../actions/before.ts'
export { encodeAction } from '../../actions/callData.ts'
export { type Approval, type DecodedCalls, decodeBatch } from '../../actions/calls.ts'
export { findCallToken } from '../../actions/callToken.ts'
export { computeWalletTok } from '../../actions/cost.ts'
export { deadlines } from '../../actions/deadlines.ts'
export { isActionName } from '../../actions/index.ts'
export type { CallerAsset, CostLine, HeldAsset, MoneyHolder } from '../../actions/preview.ts'
export {
  callerAssets,
  type DescribedCall,
  describeCosts,
  describeDeadline,
  formatActionTitle,
  heldAssets,
  moneyHolders,
} from '../../actions/preview.ts'
export type { Price } from '../../actions/prices.ts'
export { describeActionPrices, describePrice, getPrice, listPrices } from '../../actions/prices.ts'
export {
  boundSwap,
  computeFairUsdc,
  isWithinFeed,
  swapLimits,
} from '../../actions/swap.ts'
export type { PermitPlan } from '../../actions/tokenPermit.ts'
export {
  computeTotals,
  computeUsd,
  type Item,
  purposeWords,
  type ReceiptTask,
  sumOf,
  type Total,
  type TotalFacts,
  type Totals,
} from '../../actions/totals.ts'
