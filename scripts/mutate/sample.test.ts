import { expect, test } from 'vitest'
import type { Mutant } from './mutants.ts'
import { drawSample } from './sample.ts'

const create = (file: string, count: number): Mutant[] =>
  Array.from({ length: count }, (_, i) => ({ file, line: 1, label: `f: ${i}`, start: 0, length: 1, replacement: '' }))
const mutants = [...create('A.sol', 60), ...create('B.sol', 30), ...create('C.sol', 10)]

test('a sample is spread over the files in proportion', () => {
  const counts = Map.groupBy(drawSample(mutants, 15, '1'), ({ file }) => file)
  expect([...counts].map(([file, own]) => [file, own.length])).toEqual([
    ['A.sol', 9],
    ['B.sol', 5],
    ['C.sol', 1],
  ])
})

test('a seed decides the sample', () => {
  expect(drawSample(mutants, 15, '1')).toEqual(drawSample(mutants, 15, '1'))
  expect(drawSample(mutants, 15, '1')).not.toEqual(drawSample(mutants, 15, '2'))
})

test('a sample has exactly its size, and never the same mutant twice', () => {
  for (const size of [0, 1, 7, 33, 99, 100]) expect(new Set(drawSample(mutants, size, '3')).size).toBe(size)
  expect(drawSample(mutants, 1000, '3')).toEqual(mutants)
})
