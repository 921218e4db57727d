import { type Abi, type AbiEvent, decodeEventLog, type Hex, toEventSelector } from 'viem'
import { createReader, NonCanonicalEncodingError, type ReadValue } from './abiReader.ts'
import { type ContractName, type LogPosition, type MarketEvent, marketAbis } from './event.ts'

/** A log as a node returns it, with the timestamp of its block. */
export interface RawLog extends LogPosition {
  topics: readonly Hex[]
  data: Hex
}

/**
 * Decodes a log that `contract` emitted. Returns null if it is not an event of the contract or is malformed. The contracts emit
 * nothing else, so an index that gets null has a wrong address or a faulty node and must stop. Never throws.
 *
 * Logs in canonical encoding, which is all that Solidity emits, are read directly from the hex. viem decodes all others, so
 * the result is always the same as viem's.
 *
 * @example
 * ```ts
 * const event = decodeLog('taskRegistry', { topics, data, block, logIndex })
 * ```
 */
export function decodeLog(contract: ContractName, log: RawLog): MarketEvent | null {
  const { topics, data } = log
  const [selector] = topics
  const decoder = selector === undefined ? undefined : loadDecoders(contract).get(selector)
  if (!decoder) return null
  const args = read(decoder, topics, data) ?? readByViem(decoder, topics, data)
  if (!args) return null
  const { block, logIndex, transactionHash } = log
  const { kind, name } = decoder
  const event = { kind, contract, name, args, block, logIndex }
  return (transactionHash === undefined ? event : { ...event, transactionHash }) as MarketEvent
}

/** How to read the logs of one event. */
interface Decoder {
  kind: string
  name: string
  event: AbiEvent
  indexed: readonly Field[]
  inData: readonly Field[]
}

interface Field {
  name: string
  /** The offset of its word, in hex digits. */
  at: number
  read: ReadValue
}

const decoders: Partial<Record<ContractName, Map<Hex, Decoder>>> = {}

/** Built when the first log of a contract is decoded, so that an import alone costs nothing. */
function loadDecoders(contract: ContractName): Map<Hex, Decoder> {
  const abi: Abi = marketAbis[contract]
  decoders[contract] ??= new Map(
    abi
      .filter((entry) => entry.type === 'event')
      .map((event) => [toEventSelector(event), createDecoder(contract, event)]),
  )
  return decoders[contract]
}

function createDecoder(contract: ContractName, event: AbiEvent): Decoder {
  const fields = (inputs: AbiEvent['inputs']) =>
    inputs.map((input, index): Field => ({ name: input.name ?? '', at: index * 64, read: createReader(input) }))
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
    if (error instanceof NonCanonicalEncodingError) return null
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
