import type { AbiFunction } from 'viem'
import { disputes } from '../../../packages/protocol/src/tasks/disputes.ts'
import { lifecycle } from '../../../packages/protocol/src/tasks/lifecycle.ts'
import { roleNames } from '../lifecycleDoc.ts'

const owner = 'the owner'
const guardian = 'the guardian, the owner'
const registry = 'the task registry'
const ledgers = 'the task registry, the arbitration contract'
const holder = 'any wallet'

/** Calls that are not in the lifecycle tables. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TaskRegistry: {
    claimWithPermit: roleNames.claimant,
    invalidateNonce: holder,
    pauseEntries: guardian,
    unpauseEntries: guardian,
    setGuardian: owner,
    sunset: owner,
  },
  TaskScopeRegistry: { publish: registry, setPrivate: registry },
  EscrowVault: {
    fund: registry,
    lockExitDeposit: registry,
    returnExitDeposit: registry,
    spendExitDeposit: registry,
    release: registry,
    refund: registry,
    withdraw: 'anyone with a deferred payment',
  },
  DepositVault: {
    topUp: holder,
    topUpWithPermit: holder,
    topUpFor: holder,
    withdraw: 'anyone with a deposit',
    reserve: ledgers,
    unreserve: ledgers,
    penalise: ledgers,
  },
  PaymentGateway: {
    chargeAccessFee: registry,
    shareExitDeposit: 'the escrow vault',
    pull: 'the escrow, staking and arbitration contracts',
    buyPlan: holder,
    buyPlanWithPermit: holder,
  },
  StakingVault: {
    activateStaking: owner,
    stake: holder,
    stakeWithPermit: holder,
    unstake: 'anyone with a stake',
    claimRewards: 'anyone with rewards',
    spendCredit: 'the payment gateway',
    addReward: 'the payment gateway',
  },
  Arbitration: {
    register: holder,
    registerWithPermit: holder,
    requestUnbond: 'an arbitrator',
    unbond: 'an arbitrator that is unbonding',
    withdraw: 'anyone with a deferred payment',
  },
  ReputationRegistry: {
    recordPayment: registry,
    recordCompletion: registry,
    recordLeave: registry,
    recordDismissal: registry,
    recordLapse: registry,
    recordDispute: roleNames.arbitration,
  },
  PricingPolicy: { setPlan: owner, setUsdOracle: owner },
  SuiteFactory: { create: 'the deployer' },
  RealityCourt: {
    publish: 'the poster, the worker',
    ask: holder,
    answer: holder,
    carry: holder,
    sweep: holder,
  },
  TokToken: {
    approve: holder,
    burn: holder,
    burnFrom: 'anyone with an allowance',
    transfer: holder,
    transferFrom: holder,
    permit: 'anyone with the signature',
    transferWithAuthorization: 'anyone with the signature',
    receiveWithAuthorization: 'the receiver, with the signature',
    cancelAuthorization: 'anyone with the signature',
  },
}

const ownership: Readonly<Record<string, string>> = {
  transferOwnership: owner,
  renounceOwnership: owner,
  acceptOwnership: 'the pending owner',
}

/** Describes who may make a call. Throws if nobody is listed for it. */
export function describeCaller(contract: string, { name }: AbiFunction): string {
  const table = { TaskRegistry: lifecycle, Arbitration: disputes }[contract] ?? []
  const roles = new Set(table.filter(({ operation }) => operation === name).map(({ by }) => roleNames[by]))
  const found = [...roles].join(', ') || others[contract]?.[name] || ownership[name]
  if (!found) throw new Error(`No caller is listed for ${contract}.${name}. Add it to describeCaller.ts.`)
  return found
}
