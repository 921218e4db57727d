import { errorSelector, type Terms } from '@svc/simulation/model'
import { encodeAbiParameters, type Hex } from 'viem'
import { claimPolicies } from '../../packages/protocol/src/tasks/states.ts'
import { operations, type Sequence, type Step } from './sequence.ts'
import { hashWords, snapshot } from './snapshot.ts'
import { walletIndex } from './wallets.ts'

const receipts = ['none', 'valid', 'empty', 'short', 'forged']

const stepType = {
  type: 'tuple[]',
  components: [
    { name: 'operation', type: 'uint256' },
    { name: 'caller', type: 'uint256' },
    { name: 'taskId', type: 'uint256' },
    { name: 'time', type: 'uint256' },
    { name: 'milestone', type: 'uint256' },
    { name: 'amount', type: 'uint256' },
    { name: 'poster', type: 'uint256' },
    { name: 'other', type: 'uint256' },
    { name: 'hashGiven', type: 'bool' },
    { name: 'digestMatches', type: 'bool' },
    { name: 'permitted', type: 'bool' },
    { name: 'signed', type: 'bool' },
    { name: 'receipt', type: 'uint256' },
    { name: 'forWorker', type: 'bool' },
    { name: 'wrongCase', type: 'bool' },
    { name: 'refusal', type: 'bytes4' },
    { name: 'state', type: 'bytes32' },
    { name: 'terms', type: 'bytes' },
  ],
} as const

const termsType = {
  type: 'tuple',
  components: [
    { name: 'amounts', type: 'uint256[]' },
    { name: 'durations', type: 'uint64[]' },
    { name: 'reviewWindow', type: 'uint64' },
    { name: 'maxRevisions', type: 'uint8' },
    { name: 'arbitrator', type: 'uint256' },
    { name: 'store', type: 'uint256' },
    { name: 'claimPolicy', type: 'uint8' },
    { name: 'claimDeadline', type: 'uint64' },
  ],
} as const

/** Encodes the names of the operations as one line for the forge test: a step names its place in them. */
export const encodeOperations = (): Hex => encodeAbiParameters([{ type: 'string[]' }], [operations])

/** Encodes a sequence as one line for the forge test. */
export function encode({ market, steps }: Sequence): Hex {
  return encodeAbiParameters([{ type: 'string' }, stepType], [market, steps.map(encodeStep)])
}

function encodeStep({ call, error, world }: Step) {
  const { operation, caller, taskId = 0, args = {} } = call
  return {
    operation: BigInt(operations.indexOf(operation)),
    caller: walletIndex(caller),
    taskId: BigInt(taskId),
    time: BigInt(world.now),
    milestone: BigInt(args.milestone ?? -1) & 0xffn,
    amount: args.amount ?? args.workerBps ?? args.shareBps ?? 0n,
    poster: walletIndex(args.poster ?? null),
    other: walletIndex(args.worker ?? args.arbitrator ?? null),
    hashGiven: args.hashGiven ?? true,
    digestMatches: args.digestMatches ?? true,
    permitted: args.permitted ?? false,
    signed: args.signed ?? true,
    receipt: BigInt(receipts.indexOf(args.receipt ?? 'none')),
    forWorker: args.forWorker ?? false,
    wrongCase: args.number !== undefined,
    refusal: error ? errorSelector(error) : ('0x00000000' as const),
    state: hashWords(snapshot(world)),
    terms: args.terms ? encodeTerms(args.terms) : ('0x' as const),
  }
}

function encodeTerms(terms: Terms): Hex {
  return encodeAbiParameters(
    [termsType],
    [
      {
        ...terms,
        durations: terms.durations.map(BigInt),
        reviewWindow: BigInt(terms.reviewWindow),
        arbitrator: walletIndex(terms.arbitrator),
        store: walletIndex(terms.store),
        claimPolicy: claimPolicies.indexOf(terms.claimPolicy),
        claimDeadline: BigInt(terms.claimDeadline),
      },
    ],
  )
}
