export { accounts, listPeople, type Person, type PersonRole, people, publicKeys } from './accounts.ts'
export { multicall3, usdc } from './addresses.ts'
export { type Anvil, AnvilError, type AnvilOptions, startAnvil } from './anvil.ts'
export { createDevnetClient, type DevnetChain, type DevnetClient, devnetChain } from './client.ts'
export { deployDelegationFramework } from './delegation.ts'
export { type DeployOptions, deployContracts } from './deploy.ts'
export { type Devnet, deployOnDevnet, startDevnet } from './devnet.ts'
export {
  acceptCase,
  agreeOnJudge,
  sendAppeal,
  sendDecision,
  sendEvidence,
  sendFinalization,
  sendProposal,
  sendRegistration,
  sendRuling,
  sendStepDown,
  sendTimeoutResolution,
} from './disputeSteps.ts'
export { deployMocks, mockFeed, refreshPrice } from './mocks.ts'
export { deployPool } from './pool.ts'
export { formatTable, formatTokenAmount } from './report.ts'
export { saveWorld, startSavedWorld, startWorld, type World } from './savedWorld.ts'
export { findTaskNumber } from './scenarios.ts'
export { countTasks, createScene, readBalances, readStatuses, type Scene, type Status } from './scene.ts'
export { type DemoBundle, saveBundles, sealWork, type Work } from './sealWork.ts'
export { seedTasks } from './seed.ts'
export { type Call, CallRevertedError, sendCall, sendTransaction, waitForReceipt } from './send.ts'
export {
  hashUtf8,
  type Job,
  type Offer,
  type Proof,
  sendActivation,
  sendAllowance,
  sendCancellation,
  sendClaim,
  sendCompletion,
  sendCreate,
  sendDelivery,
  sendDismissal,
  sendDispute,
  sendExpiry,
  sendFunding,
  sendLapsedRelease,
  sendLeave,
  sendMutualCancellation,
  sendNotice,
  sendPost,
  sendReceipt,
  sendRelease,
  sendRevisionRequest,
} from './steps.ts'
export { DeployError } from './suite.ts'
export { listNamed } from './texts/people.ts'
export { advanceTime, advanceTimeTo, getChainTime } from './time.ts'
export {
  executeAsOwner,
  openStaking,
  sendApprovals,
  sendPlanPurchase,
  sendStake,
  sendTokens,
  sendTopUp,
} from './walletSteps.ts'
export { type BuiltWorld, buildWorld, type DemoTask, setUpMarkets, worldSpan } from './world.ts'
