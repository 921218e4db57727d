import { terminalStates } from '../../../packages/protocol/src/states.ts'
import type { Call } from '../facts.ts'
import { step } from '../step.ts'
import type { Tables } from '../tables.ts'
import { type World, wait } from '../world.ts'
import { adversary } from './adversary.ts'
import { computeKey, ticks } from './canonical.ts'
import { defaultProperties, poverty } from './defaultProperties.ts'
import { endless, type Graph, stuck } from './liveness.ts'
import { moneyProperties } from './moneyProperties.ts'
import type { Actor, Findings, Property } from './property.ts'
import { listStarts, requireTask, type Scenario } from './scenarios.ts'

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
  const run = step(tables)
  const attempts = adversary(tables, scenario)
  const graph: Graph = { terminal: [], edges: [] }
  const numbers = new Map<string, number>()
  const cameFrom: { state: number; label: string }[] = []
  const queue: World[] = []

  function traceTo(state: number): string[] {
    const { state: from, label } = cameFrom[state] ?? { state: -1, label: '' }
    return from < 0 ? [label] : [...traceTo(from), label]
  }
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
  /** The number of a world's state; a new one is put on the list. */
  function arrive(world: World, from: number, label: string): { state: number; isNew: boolean } {
    const key = computeKey(world, scenario)
    const known = numbers.get(key)
    if (known !== undefined) return { state: known, isNew: false }
    const state = numbers.size
    numbers.set(key, state)
    cameFrom.push({ state: from, label })
    queue.push(world)
    graph.terminal.push(terminalStates.some((terminal) => terminal === requireTask(world).state))
    return { state, isNew: true }
  }
  const inspect = (world: World, property: Property): Findings =>
    property.world?.(world, (call) => run(world, call)) ?? []

  function go(before: World, from: number, after: World, actor: Actor, call: Call): void {
    const label = `${actor}: ${call.operation}`
    const { state, isNew } = arrive(after, from, label)
    graph.edges.push({ from, to: state, actor })
    judge(
      () => [...traceTo(from), label],
      (property) => {
        const ofEdge = actor === 'time' ? [] : (property.edge?.({ before, after, actor, call }) ?? [])
        return isNew ? [...ofEdge, ...inspect(after, property)] : ofEdge
      },
    )
  }
  function expand(world: World, from: number): void {
    if (ticks(world)) go(world, from, wait(world, 1), 'time', { operation: 'wait', caller: 'time' })
    for (const [actor, call] of attempts(world)) {
      const outcome = run(world, call)
      if ('world' in outcome) {
        go(world, from, outcome.world, actor, call)
        continue
      }
      const { error } = outcome
      // A claim may fail on what is left of the poster's reserve, and that is part of the key.
      const eaten = call.operation === 'claim' && error === 'InsufficientDeposit'
      if (scenario.rich && !eaten && poverty.some((name) => name === error)) {
        throw new Error(`${error} of a rich wallet`)
      }
      judge(
        () => [...traceTo(from), `${actor}: ${call.operation} refused with ${error}`],
        (property) => property.refusal?.({ world, actor, call, error }),
      )
    }
  }

  let violation: Violation | null = null
  try {
    for (const world of listStarts(scenario, run)) {
      const { state } = arrive(world, -1, `start ${requireTask(world).terms.scope}`)
      judge(
        () => traceTo(state),
        (property) => inspect(world, property),
      )
    }
    for (let state = 0; queue[state]; state++) {
      expand(queue[state] as World, state)
      // Only its number is needed from now on.
      delete queue[state]
    }
    if (names.includes(reachesEnd)) {
      const dead = stuck(graph)
      if (dead !== null) fail([reachesEnd], ['neither time nor strangers get any further'], traceTo(dead))
      const loop = endless(graph)
      if (loop !== null) fail([reachesEnd], ['the end can be put off for ever'], traceTo(loop))
    }
  } catch (error) {
    if (!(error instanceof ViolationError)) throw error
    violation = error.violation
  }
  return { states: numbers.size, edges: graph.edges.length, violation }
}

class ViolationError extends Error {
  override name = 'ViolationError'
  violation: Violation

  constructor(violation: Violation) {
    super(violation.findings.join('; '))
    this.violation = violation
  }
}
