import { type Abi, type AbiEvent, decodeEventLog, type Hex, toEventSelector } from 'viem'
import { type ContractName, type LogPlace, type MarketEvent, marketAbis } from './event.ts'
import { type Read, readerOf, UnusualWordError } from './words.ts'

/** A log as a node gives it, with the time of its block. */
export interface RawLog extends LogPlace {
  topics: readonly Hex[]
  data: Hex
}

/**
 * The event in a log that `contract` emitted; null for a log that is none of its events, or whose words are malformed.
 * The contracts emit nothing else, so an index that meets null has the wrong address or a lying node, and must stop. Never
 * throws.
 *
 * Canonical logs, which is all that Solidity emits, are read straight from the hex; viem judges every other, so both
 * decode and refuse the same logs.
 */
export function decodeLog(contract: ContractName, log: RawLog): MarketEvent | null {
  const { topics, data } = log
  const [selector] = topics
  const decoder = selector === undefined ? undefined : decodersOf(contract).get(selector)
  if (!decoder) return null
  const args = read(decoder, topics, data) ?? readByViem(decoder, topics, data)
  if (!args) return null
  const { block, logIndex, transactionHash } = log
  const { kind, name } = decoder
  const event = { kind, contract, name, args, block, logIndex }
  return (transactionHash === undefined ? event : { ...event, transactionHash }) as MarketEvent
}

/** How the logs of one event are read. */
interface Decoder {
  kind: string
  name: string
  event: AbiEvent
  indexed: readonly Field[]
  inData: readonly Field[]
}

interface Field {
  name: string
  /** Of its word, in hex digits. */
  at: number
  read: Read
}

const decoders: Partial<Record<ContractName, Map<Hex, Decoder>>> = {}

/** Built at the first log of a contract: whoever imports this and decodes nothing pays nothing. */
function decodersOf(contract: ContractName): Map<Hex, Decoder> {
  const abi: Abi = marketAbis[contract]
  decoders[contract] ??= new Map(
    abi.filter((entry) => entry.type === 'event').map((event) => [toEventSelector(event), decoderOf(contract, event)]),
  )
  return decoders[contract]
}

function decoderOf(contract: ContractName, event: AbiEvent): Decoder {
  const fields = (inputs: AbiEvent['inputs']) =>
    inputs.map((input, index): Field => ({ name: input.name ?? '', at: index * 64, read: readerOf(input) }))
  return {
    kind: `${contract}.${event.name}`,
    name: event.name,
    event,
    indexed: fields(event.inputs.filter(({ indexed }) => indexed)),
    inData: fields(event.inputs.filter(({ indexed }) => !indexed)),
  }
}

const digits = /^0x[0-9a-f]*$/

function read({ indexed, inData }: Decoder, topics: readonly Hex[], data: Hex): Record<string, unknown> | null {
  if (topics.length !== indexed.length + 1 || !digits.test(data) || data.length % 2 !== 0) return null
  const words = data.slice(2)
  const args: Record<string, unknown> = {}
  try {
    for (let i = 0; i < indexed.length; i++) {
      const topic = topics[i + 1]
      if (topic?.length !== 66 || !digits.test(topic)) return null
      const field = indexed[i] as Field
      args[field.name] = field.read(topic.slice(2), 0, 0)
    }
    for (let i = 0; i < inData.length; i++) {
      const field = inData[i] as Field
      args[field.name] = field.read(words, field.at, 0)
    }
  } catch (error) {
    if (error instanceof UnusualWordError) return null
    throw error
  }
  return args
}

function readByViem({ event }: Decoder, topics: readonly Hex[], data: Hex): unknown {
  try {
    return decodeEventLog({ abi: [event], topics: topics as [Hex, ...Hex[]], data }).args ?? {}
  } catch {
    return null
  }
}
