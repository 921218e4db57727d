import { type ContractName, decodeLog, type EventFacts, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import type { Hex } from 'viem'

/** A row of `event`; bytes as hex without 0x. */
export interface EventRow {
  block: number
  logIndex: number
  contract: number
  topics: string
  data: string
  tx: string
  timestamp: number
  facts: EventFacts | null
}

const contracts = Object.keys(marketAbis) as ContractName[]

/** A contract's number in the tables. */
export function contractNumber(contract: ContractName): number {
  return contracts.indexOf(contract)
}

/** The event of a row, complete as it was when it was folded. */
export function eventOf({ block, logIndex, contract, topics, data, timestamp, facts }: EventRow): MarketEvent {
  const name = contracts[contract]
  const log = { topics: words(topics), data: `0x${data}` as Hex, block: { number: block, timestamp }, logIndex }
  const event = name && decodeLog(name, log)
  if (!event) throw new Error(`Event ${logIndex} of block ${block} cannot be read.`)
  return facts ? { ...event, facts } : event
}

const words = (hex: string): Hex[] => (hex.match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`)
