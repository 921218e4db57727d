import { type Address, getAddress, type Hex, keccak256, stringToHex } from 'viem'
import {
  type ActionContract,
  type ActionContracts,
  actionContracts,
  encodeActionInput,
} from '../../../packages/protocol/src/actions/action.ts'
import { buildCalls } from '../../../packages/protocol/src/actions/calls.ts'
import { actionList } from '../../../packages/protocol/src/actions/index.ts'

const at = (byte: number): Address => getAddress(`0x${byte.toString(16).padStart(2, '0').repeat(20)}`)
const hash = (name: string) => keccak256(stringToHex(name))
// The router of a pool has no interface in our contracts, so a swap has no vector.
const isOurs = (name: ActionContract): name is Exclude<ActionContract, 'swapRouter'> => name !== 'swapRouter'
const contracts = Object.fromEntries(
  actionContracts.filter(isOurs).map((name, index) => [name, at(0xc0 + index)]),
) as Record<Exclude<ActionContract, 'swapRouter'>, Address> satisfies ActionContracts
const from = at(0xa0)

/** One value for each input name. contracts/test/vectors/Calldata.t.sol has the same ones. */
const values = {
  market: 'standard',
  taskId: { market: 'standard', number: 7n },
  settlementDigest: hash('digest'),
  permit: signature(1n),
  milestone: 2n,
  workerBps: 2_500n,
  shareBps: 7_500n,
  forWorker: true,
  round: 2n,
  receipt: { size: 123_456n, until: 1_800_000_000n, signature: `0x${'5b'.repeat(65)}` as Hex },
  amountTokWei: 1_500n * 10n ** 18n,
  fundAmountTokWei: 10n ** 18n,
  maxAmount: 9_000_000n,
  amountUsdc: 45_000_000n,
  agent: at(0xa1),
  to: at(0xa2),
  worker: at(0xa3),
  arbitrator: at(0xa4),
  beneficiary: at(0xa5),
  proofHash: hash('proof'),
  reasonHash: hash('reason'),
  evidenceHash: hash('evidence'),
  nonce: 77n,
  tier: 'basic',
  payWith: 'usdc',
  text: 'A text.',
  terms: {
    poster: at(0xa6),
    amounts: [3n * 10n ** 18n, 4n * 10n ** 18n],
    durations: [86_400n, 172_800n],
    reviewWindow: 259_200n,
    maxRevisions: 1,
    arbitrator: at(0xa4),
    store: at(0xa7),
    criteriaHash: hash('criteria'),
    scope: 1,
    claimPolicy: 1,
    claimDeadline: 1_800_000_000n,
    nonce: 42n,
  },
  posterAcceptance: signature(2n),
  workerAcceptance: signature(3n),
  posterSignature: signature(4n),
  workerSignature: signature(5n),
} as const

function signature(nonce: bigint) {
  return { nonce, expiry: 1_800_000_000n, data: `0x${'5a'.repeat(65)}` as Hex }
}

/** The calls of every action for one input: addresses, calldata, and the input as JSON. */
export function createCallVectors() {
  const rows = actionList
    .filter(({ swap }) => !swap)
    .map((action) => {
      const names = Object.keys(action.input.shape) as (keyof typeof values)[]
      const input = Object.fromEntries(names.map((name) => [name, values[name]]))
      const calls = buildCalls(action, input, { from, contracts })
      return { name: action.name, contract: action.contract, calls, input: encodeActionInput(action, input) }
    })
  return {
    contracts: Object.keys(contracts),
    addresses: Object.values(contracts),
    names: rows.map(({ name }) => name),
    called: rows.map(({ contract }) => contract),
    /** The action's own call, after its approvals. */
    data: rows.map(({ calls }) => calls.at(-1)?.data),
    approvals: rows.map(({ calls }) => calls.slice(0, -1).map(({ to, data }) => ({ to, data }))),
    inputs: rows.map(({ input }) => JSON.stringify(input)),
  }
}
