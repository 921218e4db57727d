import { disputePhases, taskStates } from '@svc/protocol'
import { definitions, isKnownName } from './constants.ts'
import {
  type Location,
  type Path,
  type SharedVariable,
  type Sort,
  type TaskVariable,
  type Term,
  variables,
} from './path.ts'
import type { Rules } from './rules.ts'
import { listSteps, type Step } from './steps.ts'

/**
 * A property of the market, and the variables that its proof tracks. All others can have any value at every step, so the
 * proof covers more than the contracts can do.
 *
 * A property of `task` variables follows one task, which stands for any. One of `shared` variables or `sums` follows all
 * tasks: each row has a clause for the tracked task, if there is one, and a clause for any other task.
 */
export interface Property {
  statement: string
  task?: readonly TaskVariable[]
  /** The same wallet can be the poster of the task that moves, or its worker: one list for each. */
  shared?: readonly (readonly SharedVariable[])[]
  /** Sums over all tasks but the tracked one. */
  sums?: Readonly<Record<string, Term>>
  /** One predicate for each state and phase, instead of one for all. It is faster where the property depends on them. */
  byState?: boolean
  /** Leaves out checks and facts about amounts, for a property that does not need them. */
  anyAmounts?: boolean
  /** What another property proves of every step of a task. A prime means after the step. */
  assume?: Term
  /** What must not be true of a state. */
  bad?: Term
  /** What must not be true of a step of the tracked task. */
  badStep?: (step: Step) => Term
  /** When a stranger must be able to do something. */
  due?: Term
}

interface Clause {
  /** Columns of the predicate in the body. What else a clause uses can have any value. */
  tracked: readonly string[]
  names: ReadonlyMap<string, Sort>
  body: readonly Term[]
  head: Term
}

const start: Location = { state: 0, phase: 0 }
const noNames: ReadonlyMap<string, Sort> = new Map()
const and = (terms: readonly Term[]): Term => (terms.length > 0 ? `(and ${terms.join(' ')})` : 'true')

/** Writes the Horn clauses of a property. z3 answers `sat` if the property holds, and `unsat` if `Bad` can be reached. */
export function writeQuery(property: Property, rules: Rules): string {
  const steps = listSteps(rules)
  const locations = property.byState ? listLocations(steps) : [start]
  const sorts = listColumns(property).map((name) => findSort(name) ?? 'Int')
  const clauses = [
    describeStart(property),
    ...locations.flatMap((at) => [
      ...steps.flatMap((step) => step.paths.flatMap((path) => describeStep(property, at, step, path))),
      ...describeState(property, at, steps),
    ]),
  ]
  return [
    '(set-logic HORN)',
    ...definitions,
    ...locations.map((at) => `(declare-fun ${namePredicate(property, at)} (${sorts.join(' ')}) Bool)`),
    '(declare-fun Bad () Bool)',
    ...clauses.map(writeClause),
    '(assert (not Bad))',
    '(check-sat)',
    '',
  ].join('\n')
}

const listColumns = ({ task = [], shared = [[]], sums = {} }: Property, view = shared[0] ?? []): string[] => [
  ...task,
  ...view,
  ...Object.keys(sums),
]

const namePredicate = ({ byState }: Property, { state, phase }: Location): string =>
  byState ? `${taskStates[state]}.${disputePhases[phase]}` : 'Reached'

const applyPredicate = (property: Property, at: Location, terms: readonly Term[]): Term =>
  terms.length > 0 ? `(${namePredicate(property, at)} ${terms.join(' ')})` : namePredicate(property, at)

const fixLocation = ({ byState }: Property, { state, phase }: Location): Term[] =>
  byState ? [`(= state ${state})`, phase === 0 ? '(or (= phase NONE) (= phase CLOSED))' : `(= phase ${phase})`] : []

/** At first there is no task, and nothing in the vaults. */
function describeStart(property: Property): Clause {
  const tracked = listColumns(property)
  const body = tracked.map((name) => {
    if (name === 'now' || name === 'longest') return `(< 0 ${name})`
    return findSort(name) === 'Bool' ? `(not ${name})` : `(= ${name} 0)`
  })
  return { tracked, names: noNames, body, head: applyPredicate(property, start, tracked) }
}

function describeStep(property: Property, at: Location, step: Step, path: Path): Clause[] {
  const { task = [], shared = [[]], sums = {}, byState, anyAmounts, assume, badStep } = property
  const { names } = path
  const body = [
    ...fixLocation(property, at),
    ...(assume && step.ofTask ? [path.compare(assume)] : []),
    ...(anyAmounts ? [] : [...path.checks, ...path.facts]),
  ]
  const to = byState && step.ofTask ? path.follow(at) : at
  const move = (tracked: readonly string[], next: Location, after: readonly Term[]): Clause[] => {
    if (at === next && tracked.join() === after.join()) return []
    const terms = [applyPredicate(property, at, tracked), ...prune(body, [...tracked, ...after], names)]
    return [{ tracked, names, body: terms, head: applyPredicate(property, next, after) }]
  }
  const write = (name: string) => path.value(name)
  const clauses = shared.flatMap((view) => {
    const columns = listColumns(property, view)
    const isTracked = task.length > 0 || byState || !step.ofTask
    const own = to && isTracked ? move(columns, to, columns.map(write)) : []
    if (!step.ofTask || columns.length === task.length) return own
    const others = task.map((name) => `tracked.${name}`)
    const sumsAfter = Object.entries(sums).map(([name, sum]) => `(+ ${name} (- ${write(sum)} ${sum}))`)
    const after = [...others, ...view.map(write), ...sumsAfter]
    return [...own, ...move([...others, ...view, ...Object.keys(sums)], at, after)]
  })
  if (!badStep || !step.ofTask || !to) return clauses
  const tracked = listColumns(property)
  const wrong = [applyPredicate(property, at, tracked), ...body, path.compare(badStep(step))]
  return [...clauses, { tracked, names, body: wrong, head: 'Bad' }]
}

function describeState(property: Property, at: Location, steps: readonly Step[]): Clause[] {
  const { byState, bad, due } = property
  const tracked = listColumns(property)
  const here = [applyPredicate(property, at, tracked), ...fixLocation(property, at)]
  const exits = steps.filter(({ byAnyone }) => byAnyone).flatMap(({ paths }) => paths)
  return [
    ...(bad ? [{ tracked, names: noNames, body: [...here, bad], head: 'Bad' }] : []),
    ...(due ? [describeStuck(tracked, [...here, due], byState ? exits.filter((path) => path.follow(at)) : exits)] : []),
  ]
}

/** No call of a stranger is possible that depends on nothing untracked and takes nothing out of a wallet. */
function describeStuck(tracked: readonly string[], here: readonly Term[], exits: readonly Path[]): Clause {
  const names = new Map<string, Sort>()
  const body = [...here, '(= caller aStranger)']
  const usable = exits.filter(({ dependsOnOthers }) => !dependsOnOthers)
  for (const [index, path] of usable.entries()) {
    const rename = (term: Term) => term.replaceAll(/\bnew\d+/g, `$&.${index}`)
    for (const [name, sort] of path.names) names.set(rename(name), sort)
    const free = path.pulls.map((amount) => `(= ${amount} 0)`)
    body.push(...path.facts.map(rename), `(not ${rename(and([...path.checks, ...free]))})`)
  }
  return { tracked, names, body, head: 'Bad' }
}

/** Lists the states and phases that a task can have together, by the rows alone. */
function listLocations(steps: readonly Step[]): Location[] {
  const found = new Map([['0 0', start]])
  const paths = steps.filter(({ ofTask }) => ofTask).flatMap((step) => step.paths)
  // Iterating a map includes what is added meanwhile.
  for (const at of found.values()) {
    for (const path of paths) {
      const to = path.follow(at)
      const key = to ? `${to.state} ${to.phase}` : ''
      if (to && !found.has(key)) found.set(key, to)
    }
  }
  return [...found.values()]
}

/** Remembers the names of each term: many clauses have the same ones. */
const namesOfTerms = new Map<Term, readonly string[]>()

function findNames(term: Term): readonly string[] {
  const known = namesOfTerms.get(term)
  if (known) return known
  const names = [...new Set(term.match(/[A-Za-z][\w.]*/g))]
  namesOfTerms.set(term, names)
  return names
}
const findSort = (name: string): Sort | undefined => variables.get(name.replace('tracked.', ''))

/** Drops the terms that have nothing to do with the state. They could only rule out a step: without them more is possible. */
function prune(terms: readonly Term[], about: readonly Term[], names: ReadonlyMap<string, Sort>): Term[] {
  const listUsed = (term: Term) => findNames(term).filter((name) => names.has(name) || variables.has(name))
  const relevant = new Set(about.flatMap(listUsed))
  const needed = new Set<Term>()
  for (let size = -1; size < needed.size; ) {
    size = needed.size
    for (const term of terms) {
      const used = listUsed(term)
      if (!used.some((name) => relevant.has(name))) continue
      needed.add(term)
      for (const name of used) relevant.add(name)
    }
  }
  return terms.filter((term) => needed.has(term))
}

const writeClause = ({ tracked, names, body, head }: Clause): string =>
  `(assert ${quantify('forall', names, tracked, (natural) => [...natural, ...body], head)})`

/**
 * Declares what the terms use. An untracked number is natural: the properties show that no amount goes below zero, and
 * in the contracts none can.
 */
export function quantify(
  quantifier: 'forall' | 'exists',
  names: ReadonlyMap<string, Sort>,
  tracked: readonly string[],
  list: (natural: readonly Term[]) => readonly Term[],
  head?: Term,
): Term {
  const used = new Set([...list([]), head ?? ''].flatMap(findNames))
  const sorts = [...used].flatMap((name): (readonly [string, Sort])[] => {
    const sort = names.get(name) ?? findSort(name) ?? (tracked.includes(name) ? 'Int' : undefined)
    if (!sort && !isKnownName(name)) throw new Error(`The proof does not know ${name}.`)
    return sort ? [[name, sort]] : []
  })
  const natural = sorts
    .filter(([name, sort]) => variables.has(name) && sort === 'Int' && !tracked.includes(name))
    .map(([name]) => `(<= ${name === 'now' ? 1 : 0} ${name})`)
  const body = and(list(natural))
  const term = head ? `(=> ${body} ${head})` : body
  return sorts.length > 0 ? `(${quantifier} (${sorts.map((sort) => `(${sort.join(' ')})`).join(' ')}) ${term})` : term
}
