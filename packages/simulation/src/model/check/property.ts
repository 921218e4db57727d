import type { Call } from '../facts.ts'
import type { Outcome } from '../step.ts'
import type { Task, World } from '../world.ts'

/** Whose will a step needs. `both`: two signatures, whoever sends them. */
export type Actor = 'poster' | 'worker' | 'stranger' | 'arbitrator' | 'court' | 'both' | 'time'

/** One accepted call. */
export interface Edge {
  before: World
  after: World
  actor: Actor
  call: Call
}

/** Runs a call without going there. */
type Try = (call: Call) => Outcome

/** What must hold of every world, of every step and of every refusal. Each yields what is wrong. */
export interface Property {
  name: string
  world?: (world: World, attempt: Try) => Findings
  edge?: (edge: Edge) => Findings
  refusal?: (refusal: { world: World; actor: Actor; call: Call; error: string }) => Findings
}

/** Sentences; whatever is not one found nothing. */
export type Findings = readonly (string | false)[]

export const sum = (values: Iterable<bigint>): bigint => {
  let total = 0n
  for (const value of values) total += value
  return total
}

export const hasOpenCase = ({ dispute: { phase } }: Task): boolean => phase !== 'NONE' && phase !== 'CLOSED'
