import type { Graph } from './graph.ts'

/** The best that an owner can do, against doing nothing. */
export interface Best {
  /** Expected gain in USD, without the entry fees of others. */
  gain: number
  /** What the owner gets of those fees besides, in USD. */
  sales: number
  /** The steps of the plan. Where chance decides, the branch that is better for the owner. */
  plan: string[]
}

type Step = Graph['entry']

/**
 * Finds the plan of at most `depth` calls with the highest expected gain at a price of TOK. Exact, not a sample: the value
 * of a state depends only on the state and on how many calls are left.
 */
export function findBestPlan({ states, entry }: Graph, price: number, depth: number): Best {
  const values = new Float64Array(states.length * (depth + 1)).fill(Number.NaN)
  const evaluateStep = (step: Step, left: number): number =>
    step.usd + step.tok * price + evaluateState(step.to, left - step.calls)
  const evaluatePass = (pass: readonly Step[], left: number): number =>
    pass.reduce((sum, step) => sum + step.chance * evaluateStep(step, left), 0)

  function evaluateState(state: number, left: number): number {
    const at = state * (depth + 1) + left
    const known = values[at] ?? 0
    if (!Number.isNaN(known)) return known
    const { choices, pass } = requireState(states, state)
    let best = evaluatePass(pass, left)
    for (const choice of choices) if (choice.calls <= left) best = Math.max(best, evaluateStep(choice, left))
    values[at] = best
    return best
  }

  function describePlan(state: number, most: number): { plan: string[]; sales: number } {
    const { choices, pass } = requireState(states, state)
    const value = evaluateState(state, most)
    // With no more calls than it needs, a plan has no idle ones.
    let left = most
    while (left > 0 && evaluateState(state, left - 1) >= value - cent / 100) left--
    const isPassing = evaluatePass(pass, left) >= value - cent / 100
    const choice = isPassing
      ? undefined
      : choices.find((each) => each.calls <= left && evaluateStep(each, left) >= value - cent / 100)
    const steps = choice ? [choice] : pass
    const followed = steps.map((step) => ({ step, ...describePlan(step.to, left - step.calls) }))
    const sales = followed.reduce((sum, each) => sum + each.step.chance * (each.step.sales + each.sales), 0)
    const [shown] = followed.toSorted((a, b) => evaluateStep(b.step, left) - evaluateStep(a.step, left))
    if (!shown) return { plan: [], sales }
    const { label, chance } = shown.step
    const text = chance === 1 ? label : `${label}, ${Math.round(chance * 100)} %`
    return { plan: text === '' ? shown.plan : [text, ...shown.plan], sales }
  }

  const { plan, sales } = describePlan(entry.to, depth)
  const gain = entry.usd + entry.tok * price + evaluateState(entry.to, depth)
  return { gain, sales: (entry.sales + sales) * price, plan }
}

/** Less than this is rounding. */
export const cent = 0.01

/** Counts the sequences of at most `depth` calls, with the answers and waits between them, that a search compares. */
export function countSequences({ states, entry }: Graph, depth: number): number {
  const counts = new Float64Array(states.length * (depth + 1)).fill(-1)
  function count(state: number, left: number): number {
    const at = state * (depth + 1) + left
    const known = counts[at] ?? 0
    if (known >= 0) return known
    const { choices, pass } = requireState(states, state)
    const next = [...pass, ...choices.filter(({ calls }) => calls <= left)]
    const sum = next.reduce((total, { to, calls }) => total + count(to, left - calls), 0)
    counts[at] = next.length === 0 ? 1 : sum
    return counts[at] ?? 0
  }
  return count(entry.to, depth)
}

function requireState(states: Graph['states'], state: number): Graph['states'][number] {
  const found = states[state]
  if (!found) throw new Error(`State ${state} was not visited`)
  return found
}
