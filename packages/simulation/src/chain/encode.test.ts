import { type AbiParameter, decodeEventLog } from 'viem'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../random.ts'
import { deriveAddress } from './places.ts'
import { abis } from './suite/abis.ts'
import { eventEncoders } from './suite/suite.ts'

test('viem reads every event as it was written', () => {
  const random = createRandom(1)
  for (const [name, encode] of eventEncoders) {
    const [contract = '', eventName] = name.split('.')
    const abi = abis[contract as keyof typeof abis]
    const event = abi?.find((entry) => entry.type === 'event' && entry.name === eventName)
    if (event?.type !== 'event') throw new Error(`${name} is not in its ABI.`)
    for (let round = 0; round < 5; round++) {
      const args = event.inputs.map((input) => sampleOf(input, random))
      const { topics, data } = encode('0x00', args)
      const decoded = decodeEventLog({ abi: [event], topics: topics as [], data, strict: true })
      const expected = Object.fromEntries(event.inputs.map(({ name: key }, index) => [key, args[index]]))
      expect(decoded.args ?? {}, name).toEqual(expected)
    }
  }
  expect(eventEncoders.size).toBeGreaterThan(55)
})

function sampleOf(input: AbiParameter, random: Random): unknown {
  const { type } = input
  if (type.endsWith('[]')) {
    const item = { ...input, type: type.slice(0, -2) } as AbiParameter
    return Array.from({ length: random.below(4) }, () => sampleOf(item, random))
  }
  if (type === 'tuple' && 'components' in input) {
    return Object.fromEntries(input.components.map((part) => [part.name, sampleOf(part, random)]))
  }
  if (type === 'address') return deriveAddress(random.word())
  if (type === 'bool') return random.chance(0.5)
  if (type === 'bytes32') return `0x${random.word()}`
  if (type === 'string') return 'ä'.repeat(random.below(40))
  const bits = Number(type.slice(4))
  return bits <= 48 ? random.below(256) : BigInt(`0x${random.word().slice(0, bits / 4)}`)
}
