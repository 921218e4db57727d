import { type Address, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { bloomBits, estimateFalseMatch, mayContainLogs } from './bloom.ts'

const address = (index: number): Address => numberToHex(index + 1, { size: 20 })

test('a bloom never hides a value, and the estimate of false matches is near what happens', () => {
  for (const values of [3, 60, 300, 1_000, 4_000]) {
    const inside = Array.from({ length: values }, (_, index) => bloomBits(address(index)))
    const bloom = buildBloom(inside.flat())
    expect(inside.every((bits) => mayContainLogs(bloom, [bits]))).toBe(true)
    const groups = Array.from({ length: 400 }, (_, group) =>
      Array.from({ length: 5 }, (_, index) => bloomBits(address(10_000 + group * 5 + index))),
    )
    const rate = groups.filter((triples) => mayContainLogs(bloom, triples)).length / groups.length
    expect(Math.abs(estimateFalseMatch(bloom, 5) - rate), `${values} values`).toBeLessThan(0.08)
  }
})

function buildBloom(bits: readonly number[]) {
  let bloom = 0n
  for (const bit of bits) bloom |= 1n << BigInt(bit)
  return numberToHex(bloom, { size: 256 })
}
