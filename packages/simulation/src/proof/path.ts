import { disputePhases } from '@svc/protocol'

/** A term of SMT-LIB. */
export type Term = string
export type Sort = 'Int' | 'Bool'

// What the proof knows of one task and its dispute. Amounts and times are natural numbers; zero means not set. `amount` is
// the milestone in work, `later` the sum of those after it, `left` how many follow.
const escrow = ['total', 'funded', 'released', 'refunded', 'amount', 'later', 'left'] as const
const locks = ['posterExit', 'workerExit', 'posterReserve', 'workerReserve'] as const
const terms = ['maxRevisions', 'revisionsLeft', 'noticeTime'] as const
const ends = ['claimCutoff', 'claimEnd', 'deadline', 'reviewEnd'] as const
const flags = ['isPrivate', 'hasWorker', 'hasStore', 'fundedAtClaim', 'receipted', 'underNotice'] as const
// `caseLock` is what the case asks of a judge's bond, `lock` what it locks, `slashed` what its judge lost.
const caseMoney = ['disputed', 'stake', 'offer', 'ask', 'endShare', 'caseLock', 'lock', 'slashed'] as const
const caseEnds = ['consentEnd', 'evidenceEnd', 'rulingEnd', 'appealEnd', 'courtEnd'] as const
const caseFlags = ['openedByPoster', 'posterSpoke', 'workerSpoke', 'hasJudge'] as const
const rulingFlags = ['ruled', 'forWorker', 'workerWon'] as const

// What all tasks share. `longest` is at least as long as every window. `poster…` and `worker…` are the deposits of the
// wallets of the task that moves, and what all their tasks reserve of them; `bond` and `locked` belong to its judge.
const times = ['now', 'longest'] as const
const vaults = ['escrowBalance', 'escrowWaiting', 'depositBalance', 'deposits'] as const
const wallets = ['posterDeposit', 'posterReserved', 'workerDeposit', 'workerReserved'] as const
const arbitration = ['arbitrationBalance', 'arbitrationWaiting', 'bonds', 'bond', 'locked'] as const

// The parameters of a call. A dispute passes the share, `courtShare` and who forfeits to `settleDispute`.
const parameters = ['caller', 'callAmount', 'callShare', 'callReceipt', 'courtShare'] as const
const callFlags = ['callForWorker', 'posterForfeits', 'workerForfeits'] as const

const taskNumbers = ['state', 'phase', ...escrow, ...locks, ...terms, ...ends, ...caseMoney, ...caseEnds] as const
const taskFlags = [...flags, ...caseFlags, ...rulingFlags] as const
const sharedNumbers = [...times, ...vaults, ...wallets, ...arbitration] as const

export type TaskVariable = (typeof taskNumbers)[number] | (typeof taskFlags)[number]
export type SharedVariable = (typeof sharedNumbers)[number]
type Variable = TaskVariable | SharedVariable | (typeof parameters)[number] | (typeof callFlags)[number]

export const variables: ReadonlyMap<string, Sort> = new Map<string, Sort>([
  ...[...taskNumbers, ...sharedNumbers, ...parameters].map((name) => [name, 'Int'] as const),
  ...[...taskFlags, ...callFlags].map((name) => [name, 'Bool'] as const),
])

/** Writes a term about the state after a step: see `Path.compare`. */
export const afterStep = (term: Term): Term =>
  term.replaceAll(/[A-Za-z]\w*/g, (name) => (variables.has(name) ? `${name}'` : name))

/**
 * What a word of the tables means. Terms use variables, `constants.ts`, `old.x` for a variable at the start of the row,
 * `?x` for a value of `let` or else any natural number, `?window…` for any window or duration, and `?is…` for true or false.
 */
export interface Update {
  /** What the call asks for. */
  checks?: readonly Term[]
  /** Values of new names. */
  let?: Readonly<Record<string, Term>>
  /** What is true of new names. */
  facts?: readonly Term[]
  /** Amounts that the call takes out of wallets. It reverts if they are not there. */
  pulls?: readonly Term[]
  /** The values after the word, in terms of those before it. */
  set?: Readonly<Partial<Record<Variable, Term>>>
  /** The operation of the other contract that is called in the same step. */
  perform?: string
}

/** Describes a move. A method, whose parameters TypeScript compares both ways: the row says which one it is. */
export type Describe<OwnMove> = { describe(move: OwnMove): readonly Update[] }['describe']

/** The state and the phase of a task, by their codes. A closed case counts as none. */
export type Location = Readonly<Record<'state' | 'phase', number>>

const countClosedAsNone = (phase: number): number => (disputePhases[phase] === 'CLOSED' ? 0 : phase)

/** Stands for a check of something that the proof does not track. */
export const untracked = 'untracked'

/** One way through a call: its checks, and the value of every variable after it in terms of those before it. */
export class Path {
  readonly checks: Term[] = []
  readonly facts: Term[] = []
  readonly pulls: Term[] = []
  /** The new names and their sorts. */
  readonly names = new Map<string, Sort>()
  /** A check concerns something that the proof does not track. */
  dependsOnOthers = false
  readonly choices: { choice: number; options: number }[] = []
  private readonly script: readonly number[]
  private readonly from: Partial<Record<'state' | 'phase', number>> = {}
  private values = new Map<string, Term>()
  private old = new Map<string, Term>()

  constructor(script: readonly number[]) {
    this.script = script
  }

  /** Writes a term with the values of now in the place of variables. */
  value(term: Term, picked = new Map<string, string>()): Term {
    return term.replaceAll(/[?]?[A-Za-z][\w.]*/g, (name) => {
      if (name.startsWith('?')) return picked.get(name) ?? this.pick(name, picked)
      if (name.startsWith('old.')) return this.old.get(name.slice(4)) ?? name.slice(4)
      return this.values.get(name) ?? name
    })
  }

  /** Writes a term about a step: a variable with a prime has its value after the step. */
  compare(term: Term): Term {
    return term.replaceAll(/([A-Za-z]\w*)'/g, (_, name: string) => this.value(name))
  }

  check(term: Term): void {
    if (term === untracked) this.dependsOnOthers = true
    else this.checks.push(this.value(term))
  }

  apply({ checks = [], let: defined = {}, facts = [], pulls = [], set = {} }: Update): void {
    const picked = new Map<string, string>()
    const write = (term: Term) => this.value(term, picked)
    for (const [key, term] of Object.entries(defined)) {
      const name = this.newName('Int')
      this.facts.push(`(= ${name} ${write(term)})`)
      picked.set(`?${key}`, name)
    }
    const values = Object.entries(set).map(([name, term]) => [name, write(term)] as const)
    this.checks.push(...checks.map(write))
    this.facts.push(...facts.map(write))
    this.pulls.push(...pulls.map(write))
    for (const [name, term] of values) this.values.set(name, term)
  }

  /** Runs a row that leads from one state or phase to another. The other contract may run a row within it. */
  runRow(name: 'state' | 'phase', from: number, to: number, run: () => void): void {
    const outer = this.old
    if (!this.values.has(name)) this.from[name] = from
    this.check(`(= ${name} ${from})`)
    this.old = new Map(this.values)
    this.values.set(name, `${to}`)
    run()
    this.old = outer
  }

  /** Where the path leads from a location, or null if it does not start there. */
  follow(at: Location): Location | null {
    const { state = at.state, phase = at.phase } = this.from
    if (state !== at.state || countClosedAsNone(phase) !== at.phase) return null
    const arrive = (name: 'state' | 'phase') => Number(this.values.get(name) ?? at[name])
    return { state: arrive('state'), phase: countClosedAsNone(arrive('phase')) }
  }

  /** Returns every option in turn: see `listPaths`. */
  choose<Option>(options: readonly Option[]): Option {
    const choice = this.script[this.choices.length] ?? 0
    this.choices.push({ choice, options: options.length })
    const option = options[choice]
    if (option === undefined) throw new Error('There is nothing to choose from')
    return option
  }

  private newName(sort: Sort): string {
    const name = `new${this.names.size}`
    this.names.set(name, sort)
    return name
  }

  private pick(pattern: string, picked: Map<string, string>): string {
    const sort = /^\?is[A-Z]/.test(pattern) ? 'Bool' : 'Int'
    const name = this.newName(sort)
    picked.set(pattern, name)
    if (sort === 'Int') this.facts.push(`(<= 0 ${name})`)
    if (pattern.startsWith('?window')) this.facts.push(`(<= ${name} longest)`)
    return name
  }
}

/** Runs a call once forevery combination of its choices. */
export function listPaths(run: (path: Path) => void): Path[] {
  const paths: Path[] = []
  let script: number[] | null = []
  while (script) {
    const path = new Path(script)
    run(path)
    paths.push(path)
    const open = path.choices.findLastIndex(({ choice, options }) => choice + 1 < options)
    script =
      open < 0 ? null : path.choices.slice(0, open + 1).map(({ choice }, i) => (i === open ? choice + 1 : choice))
  }
  return paths
}
