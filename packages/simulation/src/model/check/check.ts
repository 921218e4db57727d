import type { Tables } from '../tables.ts'
import { defaultProperties, poverty } from './defaultProperties.ts'
import { describe, type Explored, explore, traceTo } from './explore.ts'
import { endless, type Graph, stuck } from './liveness.ts'
import { moneyProperties } from './moneyProperties.ts'
import type { Findings, Property } from './property.ts'
import type { Scenario } from './scenarios.ts'

const properties: readonly Property[] = [...moneyProperties, ...defaultProperties]
const reachesEnd = '4 from every live state time and strangers alone reach an end'

/** The names of all properties, by number. */
export const propertyNames: readonly string[] = [...new Set([...properties.map(({ name }) => name), reachesEnd])].sort(
  (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
)

/** The first step that went wrong. */
interface Violation {
  /** Every property it violates. */
  properties: string[]
  findings: string[]
  /** The calls that lead there. */
  trace: string[]
}

export interface Report {
  states: number
  edges: number
  violation: Violation | null
}

/** Visits every state a scenario can reach, whoever acts and whenever; stops at the first violation. */
export function check(tables: Tables, scenario: Scenario, names: readonly string[] = propertyNames): Report {
  const judged = properties.filter(({ name }) => names.includes(name))
  const found: Explored = { terminal: [], cameFrom: [] }
  const graph: Graph = { terminal: found.terminal, edges: [] }

  function fail(names: readonly string[], findings: readonly string[], trace: readonly string[]): never {
    throw new ViolationError({ properties: [...new Set(names)], findings: [...findings], trace: [...trace] })
  }
  function judge(trace: () => string[], findingsOf: (property: Property) => Findings | undefined): void {
    const violated: string[] = []
    const sentences: string[] = []
    for (const property of judged) {
      for (const finding of findingsOf(property) ?? []) {
        if (finding === false) continue
        violated.push(property.name)
        sentences.push(finding)
      }
    }
    if (violated.length > 0) fail(violated, sentences, trace())
  }

  let violation: Violation | null = null
  try {
    explore(tables, scenario, found, {
      state: (world, state, run) =>
        judge(
          () => traceTo(found, state),
          (property) => property.world?.(world, run),
        ),
      edge: ({ from, to, ...edge }) => {
        graph.edges.push({ from, to, actor: edge.actor })
        if (edge.actor === 'time') return
        judge(
          () => [...traceTo(found, from), describe(edge.actor, edge.call)],
          (property) => property.edge?.(edge),
        )
      },
      refusal: ({ from, ...refusal }) => {
        const { actor, call, error } = refusal
        if (scenario.rich && poverty.some((name) => name === error)) throw new Error(`${error} of a rich wallet`)
        judge(
          () => [...traceTo(found, from), `${describe(actor, call)} refused with ${error}`],
          (property) => property.refusal?.(refusal),
        )
      },
    })
    if (names.includes(reachesEnd)) {
      const dead = stuck(graph)
      if (dead !== null) fail([reachesEnd], ['neither time nor strangers get any further'], traceTo(found, dead))
      const loop = endless(graph)
      if (loop !== null) fail([reachesEnd], ['the end can be put off for ever'], traceTo(found, loop))
    }
  } catch (error) {
    if (!(error instanceof ViolationError)) throw error
    violation = error.violation
  }
  return { states: found.terminal.length, edges: graph.edges.length, violation }
}

class ViolationError extends Error {
  override name = 'ViolationError'
  violation: Violation

  constructor(violation: Violation) {
    super(violation.findings.join('; '))
    this.violation = violation
  }
}
