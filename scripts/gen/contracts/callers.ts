import type { AbiFunction } from 'viem'
import { disputes } from '../../../packages/protocol/src/disputes.ts'
import { lifecycle } from '../../../packages/protocol/src/lifecycle.ts'
import { who } from '../lifecycleDoc.ts'

const owner = 'the owner'
const guardian = 'the guardian, the owner'
const registry = 'the task registry'
const ledgers = 'the task registry, the arbitration contract'
const holder = 'any wallet'

/** Calls that no table of the lifecycle has. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TaskRegistry: {
    claimWithPermit: who.claimant,
    invalidateNonce: holder,
    pauseEntries: guardian,
    unpauseEntries: guardian,
    setGuardian: owner,
  },
  TaskScopeRegistry: { publish: registry, setPrivate: registry },
  EscrowVault: { fund: registry, release: registry, refund: registry, withdraw: 'whoever has a deferred payment' },
  DepositVault: {
    topUp: holder,
    topUpFor: holder,
    withdraw: 'whoever has a deposit',
    reserve: ledgers,
    refill: ledgers,
    unreserve: ledgers,
    penalise: ledgers,
  },
  PaymentGateway: {
    chargeAccessFee: registry,
    pull: 'the escrow, staking and arbitration contracts',
    buyPlan: holder,
  },
  StakingVault: {
    activateStaking: owner,
    stake: holder,
    unstake: 'whoever has a stake',
    claimRewards: 'whoever has rewards',
    spendCredit: 'the payment gateway',
    addReward: 'the payment gateway',
  },
  Arbitration: {
    register: holder,
    requestUnbond: 'an arbitrator',
    unbond: 'an arbitrator that is unbonding',
    withdraw: 'whoever has a share of slashed bonds',
  },
  ReputationRegistry: {
    recordPayment: registry,
    recordCompletion: registry,
    recordLeave: registry,
    recordDismissal: registry,
    recordLapse: registry,
    recordDispute: who.arbitration,
  },
  PricingPolicy: { setPlan: owner },
  TokToken: {
    approve: holder,
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
  acceptOwnership: 'whom the owner offered it to',
}

/** Who gets past the first check of a call. Refuses one that nobody is named for. */
export function callerOf(contract: string, { name }: AbiFunction): string {
  const table = { TaskRegistry: lifecycle, Arbitration: disputes }[contract] ?? []
  const roles = new Set(table.filter(({ operation }) => operation === name).map(({ by }) => who[by]))
  const found = [...roles].join(', ') || others[contract]?.[name] || ownership[name]
  if (!found) throw new Error(`Nobody is named who may call ${contract}.${name}.`)
  return found
}
