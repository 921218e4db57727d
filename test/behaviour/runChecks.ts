import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Answer, Call, Check, Request } from './call.ts'
import { explainShared, isSwap } from './equalMarkets.ts'
import { type Exchange, listMutations, type Mutation, type MutationKind, mutationKinds } from './mutations.ts'

const outcomes = ['caught', 'missed', 'no difference', 'shared', 'equal here'] as const

/**
 * How a check took a mutation. Without a difference, no answer changed: the world is too much alike. A swap may change nothing if
 * both markets share the value, or if it is equal in this world and the check is seen to compare it: it notices a constant in
 * the field, and the other market on the route.
 */
type Outcome = (typeof outcomes)[number]

/** A mutation of the route of a check, before it is tried. */
export interface Trial extends Mutation {
  check: string
  /** What else the check must notice if this one changes nothing; empty if nothing stands in for it. */
  standIns: readonly Mutation[]
}

export interface Result extends Trial {
  outcome: Outcome
}

/** Runs a check without a mutation, and lists the mutations of its route. Throws if the check fails. */
export async function planTrials(check: string, run: Check, call: Call): Promise<Trial[]> {
  const trace: Exchange[] = []
  await run(async (request) => {
    const answer = await call(request)
    trace.push({ request, answer })
    return answer
  })
  const mutations = listMutations(check, trace)
  const wholeRoute = mutations.find(({ kind }) => kind === 'other market')
  const constants = new Map(mutations.flatMap((each) => (each.kind === 'constant' ? [[each.what, each] as const] : [])))
  return mutations.map((mutation) => {
    const sameField = constants.get(mutation.what)
    return { ...mutation, check, standIns: wholeRoute && sameField ? [sameField, wholeRoute] : [] }
  })
}

/** Runs a check under a mutation. */
export async function tryMutation(check: Check, call: Call, trial: Trial): Promise<Result> {
  const outcome = await runMutated(check, call, trial)
  if (outcome !== 'no difference' || !isSwap(trial)) return { ...trial, outcome }
  if (explainShared(trial) !== null) return { ...trial, outcome: 'shared' }
  for (const standIn of trial.standIns) {
    const known = standInOutcomes.get(standIn) ?? runMutated(check, call, standIn)
    standInOutcomes.set(standIn, known)
    if ((await known) !== 'caught') return { ...trial, outcome }
  }
  return { ...trial, outcome: trial.standIns.length > 0 ? 'equal here' : outcome }
}

const standInOutcomes = new WeakMap<Mutation, Promise<Outcome>>()

async function runMutated(check: Check, call: Call, { to, change }: Mutation): Promise<Outcome> {
  // Most answers are remembered, and nothing else would run while hundreds of mutations are tried.
  await yieldToOthers()
  const exchanges: (Exchange & { plain?: Answer })[] = []
  try {
    await check(async (request) => {
      if (request.to !== to) return call(request)
      if ('request' in change) {
        // It must not arrive unchanged as well: the check may look at what it did.
        const answer = await call(change.request(request))
        exchanges.push({ request, answer })
        return answer
      }
      const plain = await call(request)
      const answer = change.answer(plain, request, exchanges.length)
      exchanges.push({ request, answer, plain })
      return answer
    })
  } catch {
    return 'caught'
  }
  for (const { request, answer, plain = await call(request) } of exchanges) {
    if (JSON.stringify(plain) !== JSON.stringify(answer)) return 'missed'
  }
  return 'no difference'
}

/**
 * Remembers the answers of requests that read, prepare or build something. Nothing happens on the chain meanwhile, so they stay
 * the same, and what was prepared or stored is still there.
 */
export function rememberReads(call: Call): Call {
  const known = new Map<string, Promise<Answer>>()
  return (request: Request) => {
    if (!isRead(request)) return call(request)
    const key = JSON.stringify(request)
    const answer = known.get(key) ?? call(request)
    known.set(key, answer)
    return answer
  }
}

const isRead = ({ to }: Request) =>
  (to.startsWith('GET ') && to !== 'GET /v1/requests/:id' && to !== 'GET /v1/status') ||
  to === 'POST /api/actions/prepare' ||
  /^svc_(?:list|get|search|verify|task|onboarding|build)_|^svc_(?:prepare|send_work|read_(?:profile|work))$/.test(to)

/** The outcomes by kind of mutation, as the lines of a table. */
export function formatOutcomes(results: readonly Result[]): string[] {
  const row = (name: string, some: readonly Result[]) => {
    const counts = outcomes.map((outcome) => some.filter((each) => each.outcome === outcome).length)
    return [name.padEnd(28), ...[some.length, ...counts].map((count) => String(count).padStart(15))].join('')
  }
  const kinds = Object.keys(mutationKinds).filter((kind): kind is MutationKind => kind in mutationKinds)
  return [
    ['mutation'.padEnd(28), ...['tried', ...outcomes].map((name) => name.padStart(15))].join(''),
    ...kinds.map((kind) =>
      row(
        kind,
        results.filter((each) => each.kind === kind),
      ),
    ),
    row('all', results),
  ]
}

/** What a check did not notice, one line each. */
export const formatMisses = (results: readonly Result[]): string[] =>
  results
    .filter(({ outcome }) => outcome === 'missed' || outcome === 'no difference')
    .map(({ outcome, check, kind, what }) => `${outcome}: ${check}: ${kind}: ${what}`)
