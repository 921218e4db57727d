import { afterAll, describe, expect, test } from 'vitest'
import { tables } from '../tables.ts'
import { check, propertyNames } from './check.ts'
import { watched } from './coverage.ts'
import { mutants } from './mutants.ts'
import { scenarios, small } from './scenarios.ts'

const timeout = 600_000
const total = { states: 0, edges: 0 }
const caught: string[] = []

afterAll(() => {
  const { states, edges } = total
  console.log(
    [
      `model check: ${states} states, ${edges} edges, ${propertyNames.length} properties, ${caught.length} of ${mutants.length} mutants caught`,
      ...caught,
    ].join('\n'),
  )
})

describe('the market', () => {
  const { tables: used, unused } = watched(tables)

  test.each(scenarios)('$name: every reachable state keeps every property', { timeout }, (scenario) => {
    const { states, edges, violation } = check(used, scenario)
    expect(violation).toBeNull()
    total.states += states
    total.edges += edges
  })

  test('no row of the tables was left out', () => {
    expect(unused()).toEqual([])
  })
})

describe('a mutant', () => {
  test.each(mutants)(
    '$name: violates property $violates',
    { timeout },
    ({ name, violates, scenario, tables: broken }) => {
      const property = propertyNames.filter((other) => other.startsWith(`${violates} `))
      const { violation } = check(broken, small[scenario ?? 'open'], property)
      expect(violation?.properties).toEqual(property)
      caught.push(`${name} -> ${property.join()}`)
    },
  )
})
