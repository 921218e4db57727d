import { type ContractName, decodeLog, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import type { EventFacts } from '@svc/protocol/internal/fold'
import type { Hex } from 'viem'

/** A row of table `event`. Bytes are hex without 0x. */
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

/** Returns the number of a contract in the tables. */
export function contractNumber(contract: ContractName): number {
  return contracts.indexOf(contract)
}

/** Decodes the event of a row, with the facts that the fold added. */
export function decodeEventRow({ block, logIndex, contract, topics, data, timestamp, facts }: EventRow): MarketEvent {
  const name = contracts[contract]
  const log = { topics: words(topics), data: `0x${data}` as Hex, block: { number: block, timestamp }, logIndex }
  const event = name && decodeLog(name, log)
  if (!event) throw new Error(`Cannot decode event ${logIndex} of block ${block}.`)
  return facts ? { ...event, facts } : event
}

const words = (hex: string): Hex[] => (hex.match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`)
