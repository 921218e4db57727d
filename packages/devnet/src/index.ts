export { accounts, type Person, type PersonRole, people, peopleWhoAre, publicKeys } from './accounts.ts'
export { multicall3, usdc } from './addresses.ts'
export { type Anvil, AnvilError, type AnvilOptions, startAnvil } from './anvil.ts'
export { createDevnetClient, type DevnetChain, type DevnetClient, devnetChain } from './client.ts'
export { DeployError, type DeployOptions, deploy } from './deploy.ts'
export { type Devnet, deployOnDevnet, startDevnet } from './devnet.ts'
export {
  agreeOn,
  drawPanel,
  escalate,
  finalize,
  propose,
  registerArbitrator,
  resolveTimedOut,
  rule,
  submitEvidence,
} from './disputeSteps.ts'
export { mockFeed, placeMocks, refreshPrice } from './mocks.ts'
export { amountText, table } from './report.ts'
export { saveWorld, startSavedWorld, startWorld, type World } from './savedWorld.ts'
export { countTasks, createScene, readBalances, readStatuses, type Scene, type Status } from './scene.ts'
export { seedTasks } from './seed.ts'
export { type Call, CallRefusedError, send, sendData } from './send.ts'
export {
  activate,
  cancel,
  claim,
  complete,
  create,
  deliver,
  dismiss,
  expire,
  fund,
  hashOf,
  type Job,
  leave,
  mutualCancel,
  type Offer,
  openDispute,
  post,
  release,
  releaseLapsed,
  requestRevision,
} from './steps.ts'
export { chainTime, warp, warpTo } from './time.ts'
export { approve, buyPlan, give, openStaking, stake, topUp } from './walletSteps.ts'
export { buildWorld, furnish, type Told, worldSpan } from './world.ts'
