import * as fc from 'fast-check'
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { decodeLog, type RawLog } from './decodeLog.ts'
import { type ContractName, marketAbis } from './event.ts'

const contracts = Object.keys(marketAbis) as ContractName[]
const listEvents = (contract: ContractName) =>
  (marketAbis[contract] as Abi).filter((entry): entry is AbiEvent => entry.type === 'event')
const kinds = contracts.flatMap((contract) =>
  listEvents(contract).map((event) => ({ kind: `${contract}.${event.name}`, contract, event })),
)

const place = { block: { number: 7, timestamp: 1_800_000_000 }, logIndex: 3 }
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const address = hex(20).map((text) => getAddress(text))

function arbitraryValues(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const { type } = parameter
  if (type.endsWith('[]')) return fc.array(arbitraryValues({ ...parameter, type: type.slice(0, -2) }), { maxLength: 5 })
  if ('components' in parameter) {
    return fc.record(Object.fromEntries(parameter.components.map((each) => [each.name ?? '', arbitraryValues(each)])))
  }
  if (type === 'address') return address
  if (type === 'bool') return fc.boolean()
  if (type === 'bytes32') return hex(32)
  if (type === 'string') return fc.string({ unit: 'binary', maxLength: 100 })
  const bits = Number(type.slice('uint'.length))
  return bits > 48 ? fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }) : fc.nat(2 ** Math.min(bits, 31) - 1)
}

function encodeLog(event: AbiEvent): fc.Arbitrary<RawLog> {
  const inData = event.inputs.filter(({ indexed }) => !indexed)
  return fc
    .record(Object.fromEntries(event.inputs.map((each) => [each.name ?? '', arbitraryValues(each)])))
    .map((args) => ({
      ...place,
      topics: encodeEventTopics({ abi: [event], eventName: event.name, args } as never) as Hex[],
      data: encodeAbiParameters(inData, inData.map(({ name }) => args[name ?? '']) as never),
    }))
}

/** Decodes a log with viem: its arguments, or null if viem rejects it. */
function byViem(contract: ContractName, { topics, data }: RawLog) {
  try {
    const { eventName, args } = decodeEventLog({ abi: marketAbis[contract] as Abi, topics: topics as [Hex], data })
    return { name: eventName, args: args ?? {} }
  } catch {
    return null
  }
}

function byUs(contract: ContractName, log: RawLog) {
  const event = decodeLog(contract, log)
  return event && { name: event.name, args: event.args }
}

describe.each(kinds)('$kind', ({ contract, event, kind }) => {
  test('is decoded like viem does', () => {
    fc.assert(
      fc.property(encodeLog(event), (log) => {
        const expected = byViem(contract, log)
        expect(expected?.name).toBe(event.name)
        expect(decodeLog(contract, log)).toEqual({ kind, contract, ...expected, ...place })
      }),
      { numRuns: runs(20) },
    )
  })

  test('is rejected or decoded like viem does if the log is damaged', () => {
    const damaged = fc.tuple(encodeLog(event), fc.nat(), fc.constantFrom(...damages)).map(([log, at, damage]) => ({
      ...log,
      ...damage(log, at),
    }))
    fc.assert(
      fc.property(damaged, (log) => {
        expect(byUs(contract, log)).toEqual(byViem(contract, log))
      }),
      { numRuns: runs(40) },
    )
  })
})

const withDigit = (text: Hex, at: number, digit: string): Hex => {
  const index = 2 + (at % Math.max(1, text.length - 2))
  return `${text.slice(0, index)}${digit}${text.slice(index + 1)}` as Hex
}
const onTopic = (topics: readonly Hex[], at: number, change: (topic: Hex) => Hex) =>
  topics.map((topic, index) => (index === at % topics.length ? change(topic) : topic))

const damages: ((log: RawLog, at: number) => Partial<RawLog>)[] = [
  ({ data }, at) => ({ data: data.slice(0, 2 + (at % data.length)) as Hex }),
  ({ data }, at) => ({ data: `${data}${'5'.repeat(at % 130)}` as Hex }),
  ({ data }, at) => ({ data: withDigit(data, at, 'f') }),
  ({ data }, at) => ({ data: withDigit(data, at, '1') }),
  ({ data }, at) => ({ data: withDigit(data, at, ' ') }),
  ({ data }, at) => ({ data: withDigit(data, at, 'A') }),
  () => ({ data: '0x' }),
  ({ topics }, at) => ({ topics: topics.slice(0, at % topics.length) }),
  ({ topics }) => ({ topics: [...topics, `0x${'0'.repeat(64)}`] }),
  ({ topics }, at) => ({ topics: onTopic(topics, at, (topic) => topic.slice(0, -1) as Hex) }),
  ({ topics }, at) => ({ topics: onTopic(topics, at, (topic) => `${topic}00`) }),
  ({ topics }, at) => ({ topics: onTopic(topics, at, (topic) => withDigit(topic, at, 'g')) }),
  ({ topics }, at) => ({ topics: onTopic(topics, at, (topic) => withDigit(topic, at, 'F')) }),
]

test('returns null for garbage and never throws', () => {
  const selectors = kinds.map(({ event }) => encodeEventTopics({ abi: [event] } as never)[0] as Hex)
  const text = fc.oneof(hex(32), fc.string(), fc.constantFrom(...selectors)) as fc.Arbitrary<Hex>
  fc.assert(
    fc.property(fc.constantFrom(...contracts), fc.array(text, { maxLength: 5 }), text, (contract, topics, data) => {
      const log = { ...place, topics, data }
      expect(byUs(contract, log)).toEqual(byViem(contract, log))
    }),
    { numRuns: runs(500) },
  )
})

test('the same topic is another event in another contract', () => {
  const { event } = kinds.find(({ kind }) => kind === 'escrowVault.Withdrawn') ?? {}
  const [log] = fc.sample(encodeLog(event as AbiEvent), 1)
  const read = (contract: ContractName) => decodeLog(contract, log as RawLog)
  expect(read('escrowVault')).toMatchObject({ kind: 'escrowVault.Withdrawn', args: { account: expect.any(String) } })
  expect(read('depositVault')).toMatchObject({ kind: 'depositVault.Withdrawn', args: { agent: expect.any(String) } })
  expect(read('arbitration')).toMatchObject({ kind: 'arbitration.Withdrawn' })
  expect(read('taskRegistry')).toBeNull()
})
