import type { TaskTerms } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import {
  decide,
  escalate,
  finalize,
  propose,
  register,
  requestUnbond,
  resolve,
  resolveTimedOut,
  stepDown,
  submitEvidence,
  unbond,
  withdrawAward,
} from './arbitration.ts'
import { performForWallet } from './engine.ts'
import type { Frame } from './frame.ts'
import { buyPlan } from './gateway.ts'
import { withdrawPayout } from './movements.ts'
import { acceptOwnership, setGuardian, sunset, transferOwnership } from './owners.ts'
import {
  activate,
  allowWorker,
  cancel,
  claim,
  complete,
  create,
  dismiss,
  expire,
  fund,
  leaveTask,
  markDelivered,
  mutualCancel,
  openDispute,
  post,
  release,
  releaseLapsed,
  requestRevision,
  type SimReceipt,
  type SimSignature,
  setPaused,
  useNonce,
} from './registry.ts'
import { activateStaking, claimRewards, stake, unstake } from './staking.ts'

type Terms = TaskTerms
type Sig = SimSignature
type Receipt = SimReceipt

/** Every write that the simulation supports, by contract and function. Arguments are those of the ABI, in order. */
export const calls = {
  taskRegistry: {
    post: (f: Frame, [terms, text, amount]: readonly [Terms, string, bigint]) => post(f, terms, text, amount),
    create: (f: Frame, [terms, worker, a, b]: readonly [Terms, Address, Sig, Sig]) => create(f, terms, worker, a, b),
    fund: (f: Frame, [id, amount]: readonly [bigint, bigint]) => fund(f, id, amount),
    allowWorker: (f: Frame, [id, worker]: readonly [bigint, Address]) => allowWorker(f, id, worker),
    claim: (f: Frame, [id, digest]: readonly [bigint, Hex]) => claim(f, id, digest, null),
    claimWithPermit: (f: Frame, [id, digest, permit]: readonly [bigint, Hex, Sig]) => claim(f, id, digest, permit),
    activate: (f: Frame, [id]: readonly [bigint]) => activate(f, id),
    dismiss: (f: Frame, [id]: readonly [bigint]) => dismiss(f, id),
    leaveTask: (f: Frame, [id]: readonly [bigint]) => leaveTask(f, id),
    markDelivered: (f: Frame, [id, at, hash, receipt]: readonly [bigint, bigint, Hex, Receipt]) =>
      markDelivered(f, id, at, hash, receipt),
    requestRevision: (f: Frame, [id, at, hash]: readonly [bigint, bigint, Hex]) => requestRevision(f, id, at, hash),
    release: (f: Frame, [id, at]: readonly [bigint, bigint]) => release(f, id, at),
    complete: (f: Frame, [id]: readonly [bigint]) => complete(f, id),
    releaseLapsed: (f: Frame, [id, at]: readonly [bigint, bigint]) => releaseLapsed(f, id, at),
    cancel: (f: Frame, [id]: readonly [bigint]) => cancel(f, id),
    expire: (f: Frame, [id]: readonly [bigint]) => expire(f, id),
    mutualCancel: (f: Frame, [id, bps, a, b]: readonly [bigint, bigint, Sig, Sig]) => mutualCancel(f, id, bps, a, b),
    openDispute: (f: Frame, [id, at, hash, share]: readonly [bigint, bigint, Hex, bigint]) =>
      openDispute(f, id, at, hash, share),
    invalidateNonce: (f: Frame, [nonce]: readonly [bigint]) => useNonce(f, f.from, nonce),
    pauseEntries: (f: Frame, _: readonly []) => setPaused(f, true),
    unpauseEntries: (f: Frame, _: readonly []) => setPaused(f, false),
    setGuardian: (f: Frame, [guardian]: readonly [Address]) => setGuardian(f, guardian),
    sunset: (f: Frame, [endsAt]: readonly [bigint]) => sunset(f, endsAt),
    transferOwnership: (f: Frame, [to]: readonly [Address]) => transferOwnership(f, 'taskRegistry', to),
    acceptOwnership: (f: Frame, _: readonly []) => acceptOwnership(f, 'taskRegistry'),
  },
  arbitration: {
    register: (f: Frame, [amount]: readonly [bigint]) => register(f, amount),
    requestUnbond: (f: Frame, _: readonly []) => requestUnbond(f),
    unbond: (f: Frame, _: readonly []) => unbond(f),
    withdraw: (f: Frame, [to]: readonly [Address]) => withdrawAward(f, to),
    propose: (f: Frame, [id, account]: readonly [bigint, Address]) => propose(f, id, account),
    stepDown: (f: Frame, [id]: readonly [bigint]) => stepDown(f, id),
    submitEvidence: (f: Frame, [id, hash, share]: readonly [bigint, Hex, bigint]) => submitEvidence(f, id, hash, share),
    resolve: (f: Frame, args: readonly [bigint, bigint, boolean, Hex]) => resolve(f, ...args),
    escalate: (f: Frame, [id]: readonly [bigint]) => escalate(f, id),
    decide: (f: Frame, args: readonly [bigint, bigint, boolean, Hex]) => decide(f, ...args),
    finalize: (f: Frame, [id]: readonly [bigint]) => finalize(f, id),
    resolveTimedOut: (f: Frame, [id]: readonly [bigint]) => resolveTimedOut(f, id),
  },
  depositVault: {
    topUp: (f: Frame, [amount]: readonly [bigint]) => topUpFor(f, f.from, amount),
    topUpFor: (f: Frame, [agent, amount]: readonly [Address, bigint]) => topUpFor(f, agent, amount),
    withdraw: (f: Frame, [amount, to]: readonly [bigint, Address]) => withdrawDeposit(f, amount, to),
  },
  escrowVault: {
    withdraw: (f: Frame, [to]: readonly [Address]) => withdrawPayout(f, to),
  },
  stakingVault: {
    activateStaking: (f: Frame, _: readonly []) => activateStaking(f),
    stake: (f: Frame, [amount]: readonly [bigint]) => stake(f, amount),
    unstake: (f: Frame, [amount]: readonly [bigint]) => unstake(f, amount),
    claimRewards: (f: Frame, _: readonly []) => claimRewards(f),
    transferOwnership: (f: Frame, [to]: readonly [Address]) => transferOwnership(f, 'stakingVault', to),
    acceptOwnership: (f: Frame, _: readonly []) => acceptOwnership(f, 'stakingVault'),
  },
  paymentGateway: {
    buyPlan: (f: Frame, [plan, to, asset, max]: readonly [Hex, Address, Address, bigint]) =>
      buyPlan(f, plan, to, asset, max),
  },
} as const

type Calls = typeof calls

/** A contract with writes. */
type Callee = keyof Calls

/** One call of a wallet: contract, function and arguments that belong together. */
export type SimCall = {
  [C in Callee]: {
    [N in keyof Calls[C]]: Calls[C][N] extends (frame: Frame, args: infer A) => void
      ? { contract: C; name: N; args: A; from: Address }
      : never
  }[keyof Calls[C]]
}[Callee]

/** The name of a kind of call, such as `depositVault.topUp`. */
export const kindOf = ({ contract, name }: SimCall): string => `${contract}.${name}`

/** Every kind of call. */
export const callKinds: readonly string[] = Object.entries(calls).flatMap(([contract, functions]) =>
  Object.keys(functions).map((name) => `${contract}.${name}`),
)

/** DepositVault.topUpFor. */
function topUpFor(frame: Frame, agent: Address, amount: bigint): void {
  performForWallet(frame, 'topUp', agent, { amount })
  frame.state.own.edit('own').totalDeposits += amount
  frame.emit('depositVault', 'ToppedUp', agent, frame.from, amount)
  frame.tokenLog()
}

/** DepositVault.withdraw. */
function withdrawDeposit(frame: Frame, amount: bigint, to: Address): void {
  performForWallet(frame, 'withdrawDeposit', frame.from, { amount })
  frame.state.own.edit('own').totalDeposits -= amount
  frame.emit('depositVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}
