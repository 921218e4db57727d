import type { MarketAddresses, RawLog } from '@svc/chain'
import type { Market, TaskId } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import type { Call } from '@svc/protocol/actions'
import { marketAbis } from '@svc/protocol/fold'
import { type ActionContract, decodeBatch, findContract } from '@svc/protocol/internal/actions'
import {
  type Abi,
  type AbiEvent,
  type Address,
  decodeEventLog,
  erc20Abi,
  type Hex,
  isAddressEqual,
  numberToHex,
  pad,
  toEventSelector,
} from 'viem'
import type { StoredRequest } from './request.ts'

/** Decides whether a log proves that a request was carried out. */
export interface Proof {
  contract: Address
  /** The known topics of the events, to narrow the log filter. */
  topics: readonly (readonly [selector: Hex, ...indexed: (Hex | null)[]])[]
  /** Whether a log proves the request. `byCaller`: the log itself names the calling wallet. */
  match: (log: RawLog) => { byCaller: boolean } | null
}

/** The event parameter that names the caller. For other events the log alone does not show it. */
const callers: Readonly<Record<string, readonly string[]>> = {
  TaskClaimed: ['worker'],
  TaskPosted: ['poster'],
  TaskFunded: ['from'],
  TaskActivated: ['by'],
  WorkerLeft: ['worker'],
  DisputeOpened: ['opener'],
  NonceInvalidated: ['account'],
  ToppedUp: ['payer'],
  Withdrawn: ['agent', 'account'],
  Approval: ['owner'],
  PlanPurchased: ['payer'],
  Staked: ['account'],
  Unstaked: ['account'],
  RewardsClaimed: ['account'],
  ArbitratorProposed: ['party'],
  EvidenceSubmitted: ['party'],
  VoteCast: ['arbitrator'],
  Escalated: ['appellant'],
  ArbitratorRegistered: ['arbitrator'],
  UnbondRequested: ['arbitrator'],
  Unbonded: ['arbitrator'],
}

const abis: Readonly<Record<ActionContract, Abi>> = {
  ...marketAbis,
  tokToken: tokTokenAbi,
  usdc: erc20Abi,
  swapRouter: [],
}

/** Builds the proof of a request from its calls. Null if the calls are not an action of these markets. */
export function buildProof(
  { prepared }: StoredRequest,
  markets: Readonly<Record<Market, MarketAddresses>>,
): Proof | null {
  // What comes before an action proves nothing: the action is the last part.
  const decoded = decodeBatch(prepared.calls as Call[], markets)?.at(-1)
  if (!decoded) return null
  const { action, market } = decoded
  const input: Record<string, unknown> = decoded.input
  const emitter = action.proofOf ?? action.contract
  const contract = findContract(markets[market], emitter)
  if (!contract) return null
  const abi = abis[emitter].filter(
    (item): item is AbiEvent => item.type === 'event' && action.proof.includes(item.name),
  )
  const expected = facts(input)
  const { pool } = markets[market].swap ?? {}
  // TOK moves between the caller and the pool: any other transfer of the same amount proves nothing.
  if (action.swap && pool) expected.set(action.swap === 'buy' ? 'from' : 'to', plain(pool))
  const ofSwap = action.swap && [action.swap === 'buy' ? 'to' : 'from']
  const listCallers = (event: string) => ofSwap ?? callers[event] ?? []
  return {
    contract,
    topics: abi.map((event) => [
      toEventSelector(event),
      ...event.inputs
        .filter(({ indexed }) => indexed)
        .map(({ name = '', type }) => {
          const value = listCallers(event.name).includes(name) ? prepared.from : input[name]
          return encodeTopic(type, name === 'taskId' ? (value as TaskId | undefined)?.number : value)
        }),
    ]),
    match(log) {
      if (!isAddressEqual(log.address, contract)) return null
      const event = decode(abi, log)
      if (!event || !agrees(event.args, expected)) return null
      const named = listCallers(event.name).map((name) => event.args[name])
      if (named.length === 0) return { byCaller: false }
      return named.some((each) => typeof each === 'string' && isAddressEqual(each as Address, prepared.from as Address))
        ? { byCaller: true }
        : null
    },
  }
}

/** Encodes a value as an indexed topic; null if it is not known. */
function encodeTopic(type: string, value: unknown): Hex | null {
  if (type === 'address' && typeof value === 'string') return pad(value.toLowerCase() as Hex)
  return type === 'uint256' && typeof value === 'bigint' ? numberToHex(value, { size: 32 }) : null
}

function decode(abi: readonly AbiEvent[], { topics, data }: RawLog) {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data })
    return { name: eventName, args: Object.fromEntries(Object.entries<unknown>(args)) }
  } catch {
    return null
  }
}

/** Maps inputs to the names that events use. */
function facts(input: Readonly<Record<string, unknown>>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    if (name === 'taskId') found.set('taskId', plain((value as TaskId).number))
    // Events use `amount` or `value` where inputs name the unit.
    else if (/^amount(?:TokWei|Usdc)$/.test(name))
      for (const alias of ['amount', 'value']) found.set(alias, plain(value))
    else found.set(name, plain(value))
  }
  return found
}

/** Whether every field that the event shares with the input has the same value. */
function agrees(args: Readonly<Record<string, unknown>>, expected: ReadonlyMap<string, string>): boolean {
  return Object.entries(args).every(([name, value]) => {
    const wanted = expected.get(name)
    return wanted === undefined || wanted === plain(value)
  })
}

/** Serializes values independent of field order: events and inputs order the terms differently. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint' || typeof each === 'number') return `${each}`
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }).toLowerCase()
