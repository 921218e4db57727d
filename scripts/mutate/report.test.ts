import { expect, test } from 'vitest'
import { createReport } from './report.ts'

const mutant = (file: string, label: string, verdict: 'killed' | 'survived' | 'invalid') => ({
  file,
  line: 3,
  label,
  verdict,
})
const tested = [
  mutant('A.sol', 'f: 1 => 2', 'killed'),
  mutant('A.sol', 'f: 2 => 3', 'survived'),
  mutant('B.sol', 'f: 2 => 3', 'survived'),
  mutant('B.sol', 'g: x => y', 'invalid'),
]

test('counts by file, and an explanation holds for its own file only', () => {
  expect(createReport(tested, { 'A.sol': { 'f: 2 => 3': 'Same result.' } })).toEqual({
    lines: [
      'A.sol    1 killed, 1 survived, 0 invalid (50.0 % killed)',
      'B.sol    0 killed, 1 survived, 1 invalid (0.0 % killed)',
      'together 1 killed, 2 survived, 1 invalid (33.3 % killed)',
      '2 survivors, 1 not explained in contracts/survivors.json',
      '  B.sol:3  f: 2 => 3',
    ],
    passed: 2,
    failed: 1,
  })
})

test('an explanation of what a test notices is wrong', () => {
  const { lines, failed } = createReport(tested.slice(0, 1), { 'A.sol': { 'f: 1 => 2': 'Same result.' } })
  expect(failed).toBe(1)
  expect(lines.at(-1)).toBe('contracts/survivors.json explains what does not survive: A.sol  f: 1 => 2')
})
