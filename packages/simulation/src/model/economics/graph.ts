import { type Market, marketParams, terminalStates } from '@svc/protocol'
import { bps } from '@svc/protocol/internal/money'
import { adversary } from '../check/adversary.ts'
import { computeKey } from '../check/canonical.ts'
import type { Actor } from '../check/property.ts'
import { requireTask, type Scenario, taskId } from '../check/scenarios.ts'
import { type Call, disputeSituation, situation } from '../facts.ts'
import { type Outcome, step } from '../step.ts'
import type { Tables } from '../tables.ts'
import { amountOf, newWorld, type Terms, type World } from '../world.ts'
import { type HonestPlay, listReplies, type Position, type Reply } from './honestPlay.ts'
import { computeSales, judges, type Owner, readOwnHoldings } from './owners.ts'

/** The terms of the task that the owner or an honest poster starts with. */
export interface Setting {
  name: string
  market: Market
  terms: Terms
  isFunded: boolean
}

const start = 1_000_000

/** What the terms of each kind of task say, besides what all of them do. Each has one milestone unless it says more. */
const kinds: readonly { name: string; dust?: number; milestones?: number; terms?: Partial<Terms>; isFunded?: false }[] =
  [
    { name: 'open', terms: { arbitrator: judges[0] } },
    { name: 'open, two milestones', milestones: 2 },
    { name: 'open, one revision', terms: { maxRevisions: 1 } },
    { name: 'open, not funded', isFunded: false },
    { name: 'open, store', terms: { store: 'store' } },
    { name: 'private, judge', milestones: 2, terms: { scope: 'PRIVATE', arbitrator: judges[0] } },
    {
      name: 'private, judge, store, three of one wei first',
      dust: 3,
      terms: { scope: 'PRIVATE', arbitrator: judges[0], store: 'store' },
    },
  ]

/** Lists the tasks that a search starts with. `amount` is the milestone in whole TOK; 0 stands for one wei. */
export function listSettings(market: Market, amount: bigint): Setting[] {
  const { minReviewWindow, claimCutoff, minRevisionTime } = marketParams[market]
  const milestone = amount === 0n ? 1n : amount * 10n ** 18n
  return kinds.map(({ name, dust = 0, milestones = 1, terms, isFunded = true }) => {
    const amounts = [...Array<bigint>(dust).fill(1n), ...Array<bigint>(milestones).fill(milestone)]
    const usual: Terms = {
      scope: 'OPEN',
      claimPolicy: 'ANYONE',
      amounts,
      // Long enough for a notice to shorten it.
      durations: amounts.map(() => 2 * minRevisionTime),
      reviewWindow: minReviewWindow,
      maxRevisions: 0,
      // Claims close at once, so that states do not differ in how long they are still open.
      claimDeadline: start + claimCutoff,
      arbitrator: null,
      store: null,
    }
    return { name: `${name}, ${market}`, market, isFunded, terms: { ...usual, ...terms } }
  })
}

/** A step of the search, by the number of the state it leads to. */
interface Step {
  to: number
  label: string
  /** How many of the owner's calls it takes. */
  calls: 0 | 1
  chance: number
  usd: number
  tok: number
  /** What the owner sold of entry fees, in TOK. Not in `tok`. */
  sales: number
}

/** Everything that can happen to one owner in one setting. The owner chooses between `choices` and `pass`. */
export interface Graph {
  /** By state: what the owner can do, and what happens if it does nothing. Nothing passes in the end. */
  states: { choices: Step[]; pass: Step[] }[]
  /** What entering gave and took. */
  entry: Step
}

/** Visits every position that an owner can reach against honest play. */
export function buildGraph(tables: Tables, owner: Owner, setting: Setting, play: HonestPlay): Graph {
  const run = step(tables)
  const scenario: Scenario = { name: setting.name, terms: [setting.terms], rich: true, paused: false }
  const listAttempts = adversary(tables, scenario)
  const findNextTime = createClock(tables)
  const storeSigns = !owner.hasStore || owner.actors.includes('worker')
  const numbers = new Map<string, number>()
  const queue: Position[] = []

  function enter(position: Position): number {
    const { world, work, away, announced } = position
    const key = `${computeKey(world, scenario)} ${work} ${away} ${announced}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    queue.push(position)
    return numbers.size - 1
  }

  function measure(before: Position, after: Position, label: string, calls: 0 | 1, chance = 1): Step {
    const [was, is] = [readOwnHoldings(before.world, owner), readOwnHoldings(after.world, owner)]
    const sales = before.world === after.world ? 0 : computeSales(after.world, owner)
    const tok = is.tok - was.tok - sales + valueWork(before, after, owner)
    return { to: enter(after), label, calls, chance, usd: is.usd - was.usd, tok, sales }
  }

  /** The position after a call, or null if the tables refuse it. */
  function move(before: Position, call: Call, work: bigint): Position | null {
    const outcome = run(before.world, call)
    if ('error' in outcome) return null
    const [was, is] = [requireTask(before.world), requireTask(outcome.world)]
    const announced = is.state === 'DISPUTED' ? before.announced : null
    return { ...before, world: outcome.world, work: is.current === was.current ? work : 0n, announced }
  }

  function listChoices(position: Position): Step[] {
    const choices: Step[] = []
    for (const [actor, call] of [...listAttempts(position.world), ...listMoreAttempts(position.world)]) {
      if (!owner.actors.includes(actor)) continue
      const works = call.operation === 'markDelivered' && position.work === 0n ? [0n, bps] : [position.work]
      for (const work of works) {
        const next = move(position, call, work)
        if (next) choices.push(measure(position, next, describeCall(call, work), 1))
      }
    }
    const { reviewEnd, state } = requireTask(position.world)
    const isLate = play.goesAway === 'before work' && (position.work > 0n || reviewEnd !== 0 || state === 'DISPUTED')
    if (play.goesAway === 'never' || isLate || position.away !== null) return choices
    for (const away of ['poster', 'worker'] as const) {
      if (owner.actors.includes(away)) continue
      choices.push(measure(position, { ...position, away }, `${away} goes away`, 0))
    }
    return choices
  }

  /** Others act, one at a time; if nobody has anything to do, the clock moves on. */
  function listPass(position: Position): Step[] {
    const next = findNextTime(position.world)
    const later = next === null ? null : { ...position, world: { ...position.world, now: next } }
    for (const reply of listReplies(position, play, owner.actors, storeSigns)) {
      const work = reply.call.operation === 'markDelivered' ? bps : position.work
      const after = move(position, reply.call, work)
      if (!after) continue
      const canWait = play.isSlow && reply.actor !== 'stranger' && later !== null
      if (canWait && move(later, reply.call, work)) continue
      return listBranches(position, reply, after)
    }
    return later === null ? [] : [measure(position, later, describeWait(later.world.now - position.world.now), 0)]
  }

  function listBranches(before: Position, { call, chance, otherwise }: Reply, after: Position): Step[] {
    if (play.isDecisionSeen && call.operation === 'decide' && before.announced === null) {
      const [said, other] = call.args?.forWorker ? (['worker', 'poster'] as const) : (['poster', 'worker'] as const)
      return [
        measure(before, { ...before, announced: said }, `the court will decide for the ${said}`, 0, chance),
        measure(before, { ...before, announced: other }, `the court will decide for the ${other}`, 0, 1 - chance),
      ]
    }
    const main = measure(before, after, describeCall(call, after.work), 0, chance)
    if (chance === 1) return [main]
    const silent: Position = { ...before, away: call.caller === 'poster' ? 'poster' : 'worker' }
    const other = otherwise === 'silence' ? silent : move(before, otherwise, before.work)
    if (!other) throw new Error(`An honest wallet cannot ${call.operation}`)
    const label = otherwise === 'silence' ? `${call.caller} does not appeal` : describeCall(otherwise, before.work)
    const rest = measure(before, other, label, 0, 1 - chance)
    return chance === 0 ? [rest] : [main, rest]
  }

  const [before, first] = openTask(run, setting)
  const nothing = { work: 0n, away: null, announced: null }
  const entry = measure({ world: before, ...nothing }, { world: first, ...nothing }, 'enters', 1)
  const states: Graph['states'] = []
  for (let state = 0; state < queue.length; state++) {
    const position = queue[state]
    if (!position) break
    const { state: at } = requireTask(position.world)
    const isEnd = terminalStates.some((terminal) => terminal === at)
    states.push(isEnd ? { choices: [], pass: [] } : { choices: listChoices(position), pass: listPass(position) })
  }
  return { states, entry }
}

/** Good work costs the worker its price when it is delivered first, and is worth as much to the poster. */
function valueWork(before: Position, after: Position, { wallets }: Owner): number {
  if (after.work <= before.work) return 0
  const task = requireTask(before.world)
  const worth = Number((amountOf(task, task.current) * after.work) / bps) / 1e18
  return (wallets.includes('poster') ? worth : 0) - (wallets.includes('worker') ? worth : 0)
}

/** Shares that the model check does not try: next to nothing, nine tenths, almost everything. */
const moreShares = [1n, 9_000n, 9_999n] as const

function listMoreAttempts(world: World): [Actor, Call][] {
  const { state, reviewEnd } = requireTask(world)
  if (state !== 'DISPUTED' && reviewEnd === 0) return []
  const operation = state === 'DISPUTED' ? 'submitEvidence' : 'openDispute'
  return (['poster', 'worker'] as const).flatMap((caller) =>
    moreShares.map((shareBps): [Actor, Call] => [caller, { operation, caller, taskId, args: { shareBps } }]),
  )
}

/** Prepares to find the next second at which a deadline of the tables ends or a waiting time is over. */
function createClock({ lifecycle, guards, disputes, disputeGuards }: Tables): (world: World) => number | null {
  const guardsByState = groupGuards(lifecycle, guards)
  const guardsByPhase = groupGuards(disputes, disputeGuards)
  return (world) => {
    const task = requireTask(world)
    const { phase, consentEnd } = task.dispute
    // A judge that steps down later gives the case to the court.
    const times = phase === 'EVIDENCE' ? [consentEnd, consentEnd + 1] : []
    // Some guards let the worker wait, others let it not wait.
    for (const caller of ['worker', 'stranger']) {
      const call: Call = { operation: 'wait', caller, taskId }
      const s = situation(world, task, call)
      for (const guard of guardsByState.get(task.state) ?? [])
        times.push(guard.until?.(s) ?? 0, (guard.after?.(s) ?? -1) + 1)
      if (task.state !== 'DISPUTED') continue
      const ds = disputeSituation(world, task, call)
      for (const guard of guardsByPhase.get(phase) ?? [])
        times.push(guard.until?.(ds) ?? 0, (guard.after?.(ds) ?? -1) + 1)
    }
    const ahead = times.filter((time) => time > world.now)
    return ahead.length > 0 ? Math.min(...ahead) : null
  }
}

/** Collects the guards that the rows of each state name. */
function groupGuards<Name extends string, G>(
  rows: readonly { from: string; guards: readonly Name[] }[],
  guards: Readonly<Record<Name, G>>,
): Map<string, G[]> {
  const list = (own: typeof rows): G[] => [...new Set(own.flatMap((row) => row.guards))].map((name) => guards[name])
  return new Map([...Map.groupBy(rows, ({ from }) => from)].map(([state, own]) => [state, list(own)]))
}

/** Posts or creates the task of a setting in a market of rich wallets. Returns the world before and after. */
function openTask(run: (world: World, call: Call) => Outcome, { terms, market, isFunded }: Setting): [World, World] {
  const party = { tok: 10n ** 30n, deposit: 10n ** 15n }
  const arbitrators = Object.fromEntries(judges.map((judge) => [judge, { bond: 10n ** 27n }]))
  const empty = newWorld(marketParams[market], start, { ...arbitrators, poster: party, worker: party })
  // The task under check has the number 2.
  const before: World = { ...empty, tasks: [null, null] }
  const total = terms.amounts.reduce((sum, amount) => sum + amount, 0n)
  const outcome =
    terms.scope === 'OPEN'
      ? run(before, { operation: 'post', caller: 'poster', args: { terms, amount: isFunded ? total : 0n } })
      : run(before, { operation: 'create', caller: 'stranger', args: { terms, poster: 'poster', worker: 'worker' } })
  if ('error' in outcome) throw new Error(`The task cannot be opened: ${outcome.error}`)
  return [before, outcome.world]
}

function describeCall({ caller, operation, args = {} }: Call, work: bigint): string {
  const { shareBps, workerBps, forWorker, receipt } = args
  const share = shareBps ?? workerBps
  const parts = [
    operation === 'markDelivered' && (work === bps ? 'good work' : 'junk'),
    receipt === 'valid' && 'receipt',
    share !== undefined && `${Number(share) / 100} %`,
    forWorker !== undefined && `for the ${forWorker ? 'worker' : 'poster'}`,
  ]
  const details = parts.filter((part) => part !== false)
  return `${caller}: ${operation}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}

/** A second between the end of a duty and the default is not worth a word. */
const describeWait = (seconds: number): string => (seconds < 60 ? '' : `${Math.round(seconds / 360) / 10} h`)
