import { expect, test } from 'vitest'
import {
  compareGas,
  countInvariantCalls,
  countTests,
  findCostliestCall,
  parseCoverage,
  parseGas,
  parseModelCheck,
} from './figures.ts'

const forge = `
[PASS] invariant_escrow() (runs: 256, calls: 25600, reverts: 0)
[PASS] invariant_deposits() (runs: 256, calls: 25600, reverts: 0)
  gas post with 16 milestones 1234567
  gas claim 345678
Ran 40 test suites in 1.00s (1.00s CPU time): 412 tests passed, 1 failed, 0 skipped (413 total tests)
`
const vitest = `
model check: 10 states, 20 edges, 8 properties, 12 of 12 mutants caught
      Tests  2 failed | 14 passed (16)
`
const coverage = '| Total | 99.50% (995/1000) | 98.00% (98/100) | 96.25% (77/80) | 100.00% (9/9) |'

test('reads what the tools print', () => {
  expect(countTests(forge, vitest)).toEqual({ passed: 426, failed: 3 })
  expect(countInvariantCalls(forge)).toEqual({ properties: 2, calls: 51_200 })
  expect(findCostliestCall(parseGas(forge))).toEqual({ name: 'post with 16 milestones', gas: 1_234_567 })
  expect(parseCoverage(coverage)).toEqual({ lines: 99.5, branches: 96.25 })
  expect(parseModelCheck(vitest)).toBe('10 states, 20 edges, 8 properties, 12 of 12 mutants caught')
})

test('a tool that said nothing proves nothing', () => {
  expect(countTests('', '')).toEqual({ passed: 0, failed: 0 })
  expect(parseCoverage('')).toEqual({ lines: 0, branches: 0 })
  expect(parseModelCheck('')).toBe('did not finish')
})

test('gas may differ from its snapshot by the tolerance, in either direction', () => {
  const snapshot = parseGas(forge)
  expect(snapshot).toEqual({ claim: 345_678, 'post with 16 milestones': 1_234_567 })
  expect(compareGas(snapshot, snapshot, 0)).toEqual([])
  expect(compareGas({ a: 1000, b: 1000, c: 1000 }, { a: 1010, b: 1011, c: 989 }, 0.01)).toEqual([
    'b: 1000 -> 1011 gas (+1.1 %)',
    'c: 1000 -> 989 gas (-1.1 %)',
  ])
  expect(compareGas({ gone: 5 }, { added: 7 }, 0.01)).toEqual(['added is new: 7 gas', 'gone is no longer measured'])
})
