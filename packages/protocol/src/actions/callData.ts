import {
  type AbiFunction,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import type { Market } from '../base/market.ts'
import { decodePlanId, encodePlanId, type PaidPlan } from '../money/plans.ts'
import { type ActionContract, type ActionContracts, type AnyAction, actionContracts, findContract } from './action.ts'
import { decodeSwap, encodeSwap } from './swap.ts'

/** Where a call is made: a market and its contracts. */
export interface CallTarget {
  market: Market
  contracts: ActionContracts
}

type Input = Record<string, unknown>

/** Encodes an action as calldata. Throws a `TypeError` if the input has the arguments of none of its functions. */
export function encodeAction(action: AnyAction, input: Input, contracts: ActionContracts): Hex {
  if (action.swap) return encodeSwap(action.swap, input, contracts)
  for (const signature of action.functions) {
    const abi = parseFunction(signature)
    const args = abi.inputs.map(({ name = '' }) => toArgument(name, input, contracts))
    if (!args.includes(undefined)) return encodeFunctionData({ abi: [abi], args })
  }
  throw new TypeError(`${action.name} needs more fields than ${Object.keys(input).join(', ')}.`)
}

/** Decodes the input of an action from calldata. Null for other calldata, and if there are extra bytes that decoding ignores. */
export function decodeAction(action: AnyAction, data: Hex, target: CallTarget): Input | null {
  const abi = action.functions
    .map(parseFunction)
    .find((each) => toFunctionSelector(each) === data.slice(0, 10).toLowerCase())
  if (!abi) return null
  try {
    if (action.swap) {
      const swap = decodeSwap(action.swap, data, target.contracts)
      return swap && { market: target.market, ...swap }
    }
    const { args = [] } = decodeFunctionData({ abi: [abi], data })
    if (encodeFunctionData({ abi: [abi], args }) !== data.toLowerCase()) return null
    const input: Input = 'market' in action.input.shape ? { market: target.market } : {}
    for (const [index, { name = '' }] of abi.inputs.entries()) {
      const value = toInputValue(name, args[index], target)
      if (value === null) return null
      if (name in action.input.shape && value !== undefined) input[name] = value
    }
    return input
  } catch {
    return null
  }
}

function toArgument(name: string, input: Input, contracts: ActionContracts): unknown {
  if (isContract(name)) return findContract(contracts, name)
  const value = input[name]
  if (name === 'taskId') return (value as { number: bigint } | undefined)?.number
  if (name === 'tier') return encodePlanId(value as PaidPlan)
  if (name === 'receipt') return value ?? noReceipt
  if (name === 'payWith') return value === 'tok' ? contracts.tokToken : contracts.usdc
  return value
}

function toInputValue(name: string, argument: unknown, { market, contracts }: CallTarget): unknown {
  if (isContract(name)) {
    const address = findContract(contracts, name)
    return address && isAddressEqual(argument as Address, address) ? name : null
  }
  if (name === 'taskId') return { market, number: argument }
  if (name === 'tier') return decodePlanId(argument as Hex)
  if (name === 'receipt') return toReceipt(argument as typeof noReceipt)
  if (name === 'payWith') {
    if (isAddressEqual(argument as Address, contracts.tokToken)) return 'tok'
    return isAddressEqual(argument as Address, contracts.usdc) ? 'usdc' : null
  }
  return argument
}

/** What the registry takes for a delivery without a receipt. */
const noReceipt: { size: bigint; until: bigint; signature: Hex } = { size: 0n, until: 0n, signature: '0x' }

/** Undefined for no receipt; null for half of one. */
function toReceipt(receipt: typeof noReceipt) {
  if (receipt.signature !== '0x') return receipt
  return receipt.size === 0n && receipt.until === 0n ? undefined : null
}

const isContract = (name: string): name is ActionContract => (actionContracts as readonly string[]).includes(name)

// Bounded: the signatures come from the action table.
const parsed = /*#__PURE__*/ new Map<string, AbiFunction>()

function parseFunction(signature: string): AbiFunction {
  const known = parsed.get(signature)
  if (known) return known
  const abi = parseAbi([...structs, `function ${signature}`] as readonly string[])[0] as AbiFunction
  parsed.set(signature, abi)
  return abi
}

const structs = [
  'struct TaskTerms { address poster; uint256[] amounts; uint64[] durations; uint64 reviewWindow; uint8 maxRevisions; address arbitrator; address store; bytes32 criteriaHash; uint8 scope; uint8 claimPolicy; uint64 claimDeadline; uint256 nonce; }',
  'struct Signature { uint256 nonce; uint64 expiry; bytes data; }',
  'struct TokenPermit { uint256 deadline; uint8 v; bytes32 r; bytes32 s; }',
  'struct Receipt { uint64 size; uint64 until; bytes signature; }',
]
