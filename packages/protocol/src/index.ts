export { arbitrationAbi } from './abis/arbitration.ts'
export { depositVaultAbi } from './abis/depositVault.ts'
export { escrowVaultAbi } from './abis/escrowVault.ts'
export { paymentGatewayAbi } from './abis/paymentGateway.ts'
export { pricingPolicyAbi } from './abis/pricingPolicy.ts'
export { reputationRegistryAbi } from './abis/reputationRegistry.ts'
export { stakingVaultAbi } from './abis/stakingVault.ts'
export { taskLensAbi } from './abis/taskLens.ts'
export { taskRegistryAbi } from './abis/taskRegistry.ts'
export { taskScopeRegistryAbi } from './abis/taskScopeRegistry.ts'
export { tokTokenAbi } from './abis/tokToken.ts'
export { usdOracleAbi } from './abis/usdOracle.ts'
export {
  accessFee,
  actionCredit,
  bps,
  disputeFee,
  entryDeposit,
  exitPenalty,
  maxMilestones,
  maxRevisions,
  minBond,
  panelSizes,
  pauseThreshold,
  recommendedDeposit,
  slashAmount,
  taskReserve,
  unbondCooldown,
  unionFeeBps,
} from './amounts.ts'
export {
  appealBond,
  type DisputeCallFacts,
  type DisputeEffect,
  type DisputeFacts,
  type DisputeGuard,
  type DisputeGuardName,
  type DisputeMove,
  type DisputeRole,
  type DisputeSituation,
  type DisputeTransition,
  disputeConditions,
  disputeGuards,
  disputeRoles,
  disputes,
  type SeatFacts,
} from './disputes.ts'
export {
  type AccountFacts,
  type CallFacts,
  claimCutoff,
  claimEnd,
  fundingEnd,
  type Guard,
  type GuardName,
  guards,
  type Situation,
  type TaskFacts,
} from './guards.ts'
export {
  type Arrival,
  arrivals,
  conditions,
  type Effect,
  lifecycle,
  type Move,
  type Role,
  roles,
  type Transition,
} from './lifecycle.ts'
export { isMarket, type Market, market, markets } from './market.ts'
export { defaultReviewWindow, type MarketParams, marketParams } from './params.ts'
export { type PhaseFacts, phaseOf, type TaskPhase, taskPhases } from './phase.ts'
export {
  type ClaimPolicy,
  claimPolicies,
  type DisputePhase,
  disputePhases,
  liveStates,
  type MilestoneState,
  milestoneStates,
  type TaskScope,
  type TaskState,
  taskScopes,
  taskStates,
  terminalStates,
} from './states.ts'
export {
  creditCap,
  creditRate,
  oracleMaxAge,
  type PlanPrice,
  planPrices,
  sequencerGrace,
  timelockDelay,
} from './suite.ts'
export { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId, taskId } from './taskId.ts'
export {
  acceptanceTypedData,
  claimPermitTypedData,
  mutualCancelTypedData,
  type SigningContext,
  settlementDigest,
  settlementTypedData,
  type TaskTerms,
  taskDomain,
} from './typedData.ts'
