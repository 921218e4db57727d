import {
  accessFee,
  disputePhases,
  entryDeposit,
  exitDeposit,
  pauseThreshold,
  taskReserve,
  taskStates,
} from '@svc/protocol'
import {
  appealFee,
  bps,
  lapsePenalty,
  lockedDeposit,
  maxCourtShare,
  maxRevisions,
  minBond,
  minJudgeLock,
  rulingFee,
} from '@svc/protocol/internal/money'
import type { Term } from './path.ts'

/** Who calls, and the receipt of a delivery: the values of `caller` and `callReceipt`. */
const callers = ['aPoster', 'aWorker', 'aJudge', 'aCourt', 'aStranger']
const receipts = ['noReceipt', 'validReceipt', 'emptyReceipt', 'shortReceipt', 'forgedReceipt']

const amounts = {
  accessFee,
  appealFee,
  bps,
  entryDeposit,
  exitDeposit,
  lapsePenalty,
  lockedDeposit,
  maxCourtShare,
  minBond,
  minJudgeLock,
  pauseThreshold,
  revisionLimit: maxRevisions,
  rulingFee,
  taskReserve,
}

/** Names that terms use for numbers: those of the tables, of the contracts' enums and of `amounts.ts`. */
const constants: ReadonlyMap<string, bigint | number> = new Map<string, bigint | number>([
  ...Object.entries(amounts),
  // Both enums begin with NONE.
  ...[...taskStates.entries(), ...disputePhases.entries()].map(([code, name]) => [name, code] as const),
  ...[...callers.entries(), ...receipts.entries()].map(([code, name]) => [name, code] as const),
])

export const definitions: readonly string[] = [
  ...[...constants].map(([name, value]) => `(define-fun ${name} () Int ${value})`),
  '(define-fun min ((a Int) (b Int)) Int (ite (< a b) a b))',
  '(define-fun max ((a Int) (b Int)) Int (ite (< a b) b a))',
]

const operators = new Set(['min', 'max', 'and', 'or', 'not', 'ite', 'distinct', 'true', 'false', 'Bad', 'Reached'])

/** Whether a name is a constant, an operator or a predicate. */
export const isKnownName = (name: string): boolean =>
  constants.has(name) || operators.has(name) || /^[A-Z]+\.[A-Z]+$/.test(name)

/** A part of an amount, rounded down. The share is a constant, so that the term stays linear. */
export function isPortion(part: Term, amount: Term, share: bigint): Term {
  const divisor = findDivisor(share, bps)
  const [product, denominator] = [`(* ${share / divisor} ${amount})`, bps / divisor]
  return `(and (<= (* ${denominator} ${part}) ${product}) (< ${product} (* ${denominator} (+ ${part} 1))))`
}

const findDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : findDivisor(b, a % b))

/** A share that varies: any part of the amount, nothing or all of it at either end. */
export const isShare = (part: Term, amount: Term, share: Term): Term =>
  `(and (=> (and (<= 0 ${share} bps) (<= 0 ${amount})) (<= 0 ${part} ${amount}))
    (=> (= ${share} 0) (= ${part} 0)) (=> (and (= ${share} bps) (<= 0 ${amount})) (= ${part} ${amount})))`
