import { afterAll, describe, expect, test } from 'vitest'
import { tables } from '../tables.ts'
import { payoffMutants } from './payoffMutants.ts'
import { computePayoffs, prices } from './payoffs.ts'
import { payoffScenario, smallPayoffScenario } from './scenarios.ts'

const timeout = 600_000
const lines: string[] = []

afterAll(() => console.log(lines.join('\n')))

describe('15 no honest exit is dominated', () => {
  // USD 20, 500 and 50,000 at 0.0025.
  test.each([8_000n, 200_000n, 20_000_000n])('milestones of %s TOK', { timeout }, (amount) => {
    const { states, edges, exits, violations } = computePayoffs(tables, payoffScenario(amount))
    expect(violations).toEqual([])
    lines.push(`payoffs with milestones of ${amount} TOK: ${states} states, ${edges} edges, prices ${prices.join()}`)
    for (const [exit, { count, least, most }] of exits) {
      lines.push(
        `  ${exit}, ${count} times: ${least.map((value, i) => describeRange(value, most[i] ?? value)).join(' | ')}`,
      )
    }
  })

  test.each(payoffMutants)('a mutant: $name', { timeout }, ({ name, tables: broken, finds }) => {
    const { violations } = computePayoffs(broken, smallPayoffScenario)
    expect(violations).toEqual(expect.arrayContaining([expect.stringContaining(finds)]))
    lines.push(`caught: ${name}`)
  })
})

const describeRange = (least: number, most: number): string =>
  least === most ? least.toFixed(2) : `${least.toFixed(2)} to ${most.toFixed(2)}`
