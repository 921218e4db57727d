import { terminalStates } from '@svc/protocol'
import type { Call } from '../facts.ts'
import { type Outcome, step } from '../step.ts'
import type { Tables } from '../tables.ts'
import { type World, wait } from '../world.ts'
import { adversary } from './adversary.ts'
import { computeKey, ticks } from './canonical.ts'
import type { Actor, Edge } from './property.ts'
import { listStarts, requireTask, type Scenario } from './scenarios.ts'

/** What an exploration tells about each state, step and refusal. States have numbers, from 0. */
export interface Visitor {
  /** A state that is new; `run` tries a call without going there. */
  state?: (world: World, state: number, run: (call: Call) => Outcome) => void
  edge?: (edge: Edge & { from: number; to: number }) => void
  refusal?: (refusal: { world: World; from: number; actor: Actor; call: Call; error: string }) => void
}

/** The states that were found: whether each is terminal, and how it was reached first. */
export interface Explored {
  terminal: boolean[]
  cameFrom: { state: number; label: string }[]
}

/** Visits every state that a scenario can reach, whoever acts and whenever. `found` is filled while it goes on. */
export function explore(tables: Tables, scenario: Scenario, found: Explored, visitor: Visitor): void {
  const run = step(tables)
  const attempts = adversary(tables, scenario)
  const numbers = new Map<string, number>()
  const queue: World[] = []

  /** The number of a world's state; a new one is put on the list. */
  function arrive(world: World, from: number, label: string): { state: number; isNew: boolean } {
    const key = computeKey(world, scenario)
    const known = numbers.get(key)
    if (known !== undefined) return { state: known, isNew: false }
    const state = numbers.size
    numbers.set(key, state)
    found.cameFrom.push({ state: from, label })
    found.terminal.push(terminalStates.some((terminal) => terminal === requireTask(world).state))
    queue.push(world)
    return { state, isNew: true }
  }
  function go(before: World, from: number, after: World, actor: Actor, call: Call): void {
    const { state, isNew } = arrive(after, from, describe(actor, call))
    visitor.edge?.({ before, after, actor, call, from, to: state })
    if (isNew) visitor.state?.(after, state, (next) => run(after, next))
  }

  for (const world of listStarts(scenario, run)) {
    const { state } = arrive(world, -1, `start ${requireTask(world).terms.scope}`)
    visitor.state?.(world, state, (call) => run(world, call))
  }
  for (let from = 0; queue[from]; from++) {
    const world = queue[from] as World
    if (ticks(world)) go(world, from, wait(world, 1), 'time', { operation: 'wait', caller: 'time' })
    for (const [actor, call] of attempts(world)) {
      const outcome = run(world, call)
      if ('world' in outcome) go(world, from, outcome.world, actor, call)
      else visitor.refusal?.({ world, from, actor, call, error: outcome.error })
    }
    // Only its number is needed from now on.
    delete queue[from]
  }
}

export const describe = (actor: Actor, { operation }: Call): string => `${actor}: ${operation}`

/** The calls that first led to a state. */
export function traceTo(found: Explored, state: number): string[] {
  const { state: from, label } = found.cameFrom[state] ?? { state: -1, label: '' }
  return from < 0 ? [label] : [...traceTo(found, from), label]
}
