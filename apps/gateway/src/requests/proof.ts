import type { MarketAddresses, RawLog } from '@svc/chain'
import type { Market, TaskId } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { type ActionContract, type Call, decodeCalls } from '@svc/protocol/actions'
import { marketAbis } from '@svc/protocol/fold'
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

/** What the chain must show for a request to have happened. */
export interface Proof {
  contract: Address
  /** What the logs of such events have in their topics, as far as it is known: others need not be looked at. */
  topics: readonly (readonly [selector: Hex, ...indexed: (Hex | null)[]])[]
  /** Whether a log is such an event, about what was asked for; `byCaller`: the log itself names the wallet that called. */
  match: (log: RawLog) => { byCaller: boolean } | null
}

/** The parameter of an event that names who called; of the others the log alone does not say. */
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

const abis: Readonly<Record<ActionContract, Abi>> = { ...marketAbis, tokToken: tokTokenAbi, usdc: erc20Abi }

/** The proof of a request, read back from its calls. Null for calls that are no action of these markets. */
export function proofOf({ prepared }: StoredRequest, markets: Readonly<Record<Market, MarketAddresses>>): Proof | null {
  const decoded = decodeCalls(prepared.calls as Call[], markets)
  if (!decoded) return null
  const { action, input, market } = decoded
  const contract = markets[market][action.contract]
  const abi = abis[action.contract].filter(
    (item): item is AbiEvent => item.type === 'event' && action.proof.includes(item.name),
  )
  const expected = facts(input)
  return {
    contract,
    topics: abi.map((event) => [
      toEventSelector(event),
      ...event.inputs
        .filter(({ indexed }) => indexed)
        .map(({ name = '', type }) => {
          const value = callers[event.name]?.includes(name) ? prepared.from : input[name]
          return topicOf(type, name === 'taskId' ? (value as TaskId | undefined)?.number : value)
        }),
    ]),
    match(log) {
      if (!isAddressEqual(log.address, contract)) return null
      const event = decode(abi, log)
      if (!event || !agrees(event.args, expected)) return null
      const named = (callers[event.name] ?? []).map((name) => event.args[name])
      if (named.length === 0) return { byCaller: false }
      return named.some((each) => typeof each === 'string' && isAddressEqual(each as Address, prepared.from as Address))
        ? { byCaller: true }
        : null
    },
  }
}

/** A value as an indexed parameter shows it; null for one that is not known. */
function topicOf(type: string, value: unknown): Hex | null {
  if (type === 'address' && typeof value === 'string') return pad(value.toLowerCase() as Hex)
  return type === 'uint256' && typeof value === 'bigint' ? numberToHex(value, { size: 32 }) : null
}

function decode(abi: readonly AbiEvent[], { topics, data }: RawLog) {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data })
    return { name: eventName, args: args as unknown as Record<string, unknown> }
  } catch {
    return null
  }
}

/** Inputs by the names that events have for them. */
function facts(input: Readonly<Record<string, unknown>>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    if (name === 'taskId') found.set('taskId', plain((value as TaskId).number))
    // Events say `amount` or `value` for what inputs call by its unit.
    else if (/^amount(?:TokWei|Usdc)$/.test(name))
      for (const alias of ['amount', 'value']) found.set(alias, plain(value))
    else found.set(name, plain(value))
  }
  return found
}

/** Whatever an event says of what was asked for is what was asked for. */
function agrees(args: Readonly<Record<string, unknown>>, expected: ReadonlyMap<string, string>): boolean {
  return Object.entries(args).every(([name, value]) => {
    const wanted = expected.get(name)
    return wanted === undefined || wanted === plain(value)
  })
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' || typeof each === 'number' ? `${each}` : each,
  ).toLowerCase()
