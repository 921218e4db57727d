import { type Market, type MarketParams, marketParams, markets } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { type Emitted, type EventEncoder, eventEncoder } from '../encode.ts'
import type { SimContract, SimPlaces } from '../places.ts'
import { createTimeline, type Timeline } from '../store.ts'
import { abis } from './abis.ts'
import { calls, type SimCall } from './calls.ts'
import { createDigests } from './digests.ts'
import { type Frame, Refused } from './frame.ts'
import { deployed } from './owners.ts'
import { createMarketState, type MarketState } from './state.ts'

/** The block that calls run in. */
interface BlockContext {
  number: number
  timestamp: number
}

/** A log of a call and its index among all logs of the call, those of tokens included. */
export interface CallLog extends Emitted {
  offset: number
}

/** The result of a successful call. */
export interface Receipt {
  logs: readonly CallLog[]
  /** Number of all logs, those of tokens included. */
  logCount: number
}

export interface SuiteOptions {
  places: SimPlaces
  params?: Readonly<Record<Market, MarketParams>>
  /** Wallets that TOK cannot be pushed to: their money waits in the escrow vault and in arbitration. */
  unpayable?: readonly Address[]
}

/** Both markets: executes calls, returns logs and remembers every earlier state. */
export interface Suite {
  timeline: Timeline
  states: Readonly<Record<Market, MarketState>>
  digests: Readonly<Record<Market, Frame['digests']>>
  places: SimPlaces
  params: Readonly<Record<Market, MarketParams>>
  /** Executes a call in its own tick. Returns the name of the error if the call is refused; then nothing changes. */
  execute: (market: Market, call: SimCall, block: BlockContext) => Receipt | string
  /** Returns the logs of a market's constructors. */
  deployment: (market: Market) => Receipt
}

/** A function of a contract. Written as a method, so that each may name its own arguments. */
type ContractFunction = { run(frame: Frame, args: readonly unknown[]): void }['run']

/** The encoder of every event of the suite, by contract and name. */
export const eventEncoders: ReadonlyMap<string, EventEncoder> = new Map(
  Object.entries(abis).flatMap(([contract, abi]) =>
    abi.flatMap((entry) =>
      entry.type === 'event' ? [[`${contract}.${entry.name}`, eventEncoder(entry)] as const] : [],
    ),
  ),
)

/** Creates an empty suite. */
export function createSuite({ places, params = marketParams, unpayable = [] }: SuiteOptions): Suite {
  const timeline = createTimeline()
  const each = <T>(make: (market: Market) => T) =>
    Object.fromEntries(markets.map((market) => [market, make(market)])) as Record<Market, T>
  const states = each(() => createMarketState(timeline))
  const digests = each((market) =>
    createDigests(market, places.chainId, places.markets[market].taskRegistry, places.tok),
  )
  const lower = each(
    (market) =>
      Object.fromEntries(
        Object.entries(places.markets[market]).map(([name, address]) => [name, address.toLowerCase()]),
      ) as Record<SimContract, Hex>,
  )
  const unpaid = new Set(unpayable)

  const begin = (market: Market, from: Address, block: BlockContext) => {
    const logs: CallLog[] = []
    let logCount = 0
    const frame: Frame = {
      market,
      params: params[market],
      state: states[market],
      from,
      now: block.timestamp,
      block: block.number,
      tok: places.tok,
      treasury: places.treasury,
      finalCourt: places.finalCourt,
      escrowVault: places.markets[market].escrowVault,
      arbitration: places.markets[market].arbitration,
      unpayable: (wallet) => unpaid.has(wallet),
      digests: digests[market],
      emit(contract, event, ...args) {
        const encode = eventEncoders.get(`${contract}.${event}`)
        if (!encode) throw new Error(`The suite has no event ${contract}.${event}.`)
        const { address, topics, data } = encode(lower[market][contract], args)
        logs.push({ address, topics, data, offset: logCount++ })
      },
      tokenLog: () => {
        logCount++
      },
    }
    return { frame, receipt: (): Receipt => ({ logs, logCount }) }
  }

  return {
    timeline,
    states,
    digests,
    places,
    params,
    execute(market, call, block) {
      const { frame, receipt } = begin(market, call.from, block)
      const before = timeline.tick
      timeline.advance()
      try {
        const functions: Readonly<Record<string, ContractFunction>> = calls[call.contract]
        functions[call.name]?.(frame, call.args)
      } catch (error) {
        timeline.rewind(before)
        if (error instanceof Refused) return error.message
        throw error
      }
      return receipt()
    },
    deployment(market) {
      const { frame, receipt } = begin(market, places.owner, { number: 0, timestamp: 0 })
      deployed(frame, places.owner, places.guardian)
      return receipt()
    },
  }
}
