import { encodeAbiParameters, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { readBasename } from './readBasename.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const encode = (name: string) => encodeAbiParameters([{ type: 'string' }], [name])

test.each([
  ['a name', encode('ada.base.eth'), 'ada.base.eth'],
  ['an empty name', encode(''), null],
  ['a chain without the resolver', '0x', null],
  ['another answer', { name: 'ada' }, null],
  ['no answer', new Error('offline'), null],
])('suggests a basename: %s', async (_, answer, expected) => {
  const asked: unknown[] = []
  const request = async (call: unknown) => {
    asked.push(call)
    if (answer instanceof Error) throw answer
    return answer
  }
  expect(await readBasename({ request }, zeroAddress, wallet)).toBe(expected)
  // The node of the reverse record, as ENSIP-19 defines it.
  expect(JSON.stringify(asked)).toContain('1e2aac06a0c91dfb9cd7fc279a09138497dfb7000d08eac8d43788ad2d7dc7d4')
})
