import { disputePhases, taskStates } from '@svc/protocol'
import { computeJudgeLock, minBond, unbondCooldown } from '@svc/protocol/internal/money'
import { buildDisputeRules, buildTaskRules, evaluate, noticeTime } from '@svc/protocol/internal/tasks'
import { explore } from '../model/check/explore.ts'
import { listStarts, small } from '../model/check/scenarios.ts'
import { type Call, disputeSituation, situation } from '../model/facts.ts'
import { step as createStep } from '../model/step.ts'
import { tables } from '../model/tables.ts'
import { amountOf, newArbitrator, newTask, type Task, type World, wait } from '../model/world.ts'
import { definitions } from './constants.ts'
import { type Term, variables } from './path.ts'
import { type Property, quantify } from './query.ts'
import { nameTransition, type Step } from './steps.ts'

/** A call on the model. `after` is null if the model refuses it. */
interface ModelCall {
  call: Call
  before: World
  after: World | null
}

type Values = Readonly<Record<string, bigint | number | boolean>>

/** The model pays at once. */
const notInModel = ['withdrawEscrow', 'withdrawArbitration']

/**
 * Compares the words of the proof with the model, which other tests compare with the contracts. Each step of the model must
 * be a step of its row in the proof, with the same values before and after, and all that properties assume must be true of
 * it. What the model refuses to a stranger, the proof must refuse.
 */
export function compareWithModel(steps: readonly Step[], properties: readonly Property[]) {
  const assumed = properties.flatMap(({ assume }) => assume ?? [])
  const calls = [...sampleModel()].flatMap(([name, own]) => own.map((modelCall) => ({ name, ...modelCall })))
  const checks = calls.map(({ name, ...modelCall }) => {
    const { before, after } = readCall(modelCall)
    const isMeant = ({ byAnyone, operation, ...step }: Step) =>
      after ? step.name === name : byAnyone && operation === modelCall.call.operation
    const ways = steps.filter(isMeant).flatMap((step) => describeWays(step, before, after, assumed))
    return `(push) (assert (or false ${ways.join(' ')})) (check-sat) (pop)`
  })
  return {
    query: [...definitions, ...checks, ''].join('\n'),
    /** Says where the answers of z3 show a difference. */
    findFaults: (output: string): string[] => {
      const answers = output.split('\n')
      const wrong = calls.filter(({ after }, i) => answers[i] !== (after ? 'sat' : 'unsat'))
      const unseen = steps.filter(({ name }) => !notInModel.includes(name) && !calls.some((each) => each.name === name))
      return [
        ...new Set(wrong.map(({ name }) => `the model differs in ${name}`)),
        ...unseen.map(({ name }) => `the model never does ${name}`),
      ]
    },
  }
}

/** Writes every way through a step from these values: to those after it, or, if there are none, by a stranger. */
function describeWays(step: Step, before: Values, after: Values | null, assumed: readonly Term[]): Term[] {
  const usable = step.paths.filter(({ dependsOnOthers }) => after || !dependsOnOthers)
  return usable.map((path) => {
    // A party that receives the other's penalty has its deposit raised: to the proof that is a top-up.
    const values = Object.entries(after ?? {}).map(
      ([name, value]) => `(${name.endsWith('Deposit') ? '<=' : '='} ${path.value(name)} ${value})`,
    )
    const terms = [
      ...Object.entries(before).map(([name, value]) => `(= ${name} ${value})`),
      ...path.checks,
      ...path.facts,
      ...(after ? values : ['(= caller aStranger)']),
      ...(after && step.ofTask ? assumed.map((term) => path.compare(term)) : []),
    ]
    return quantify('exists', path.names, [], (natural) => [...natural, ...terms])
  })
}

/** Lists calls by the name of their row, or by what refuses them: of each the 1st, 8th, 64th and so on. */
function sampleModel(): Map<string, ModelCall[]> {
  const found = new Map<string, { count: number; calls: ModelCall[] }>()
  const record = (name: string, modelCall: ModelCall) => {
    const own = found.get(name) ?? { count: 0, calls: [] }
    found.set(name, own)
    own.count += 1
    if (Number.isInteger(Math.log2(own.count) / 3)) own.calls.push(modelCall)
  }
  const run = createStep(tables)
  const runRecorded = (before: World, call: Call) => {
    const outcome = run(before, call)
    if ('world' in outcome) record(nameRow(before, call), { before, call, after: outcome.world })
    return outcome
  }
  for (const scenario of [small.permit, small.stored]) {
    const [start] = listStarts(scenario, runRecorded)
    explore(
      tables,
      scenario,
      { terminal: [], cameFrom: [] },
      {
        edge: ({ before, call, after }) => record(nameRow(before, call), { before, call, after }),
        refusal: ({ actor, world, call, error }) => {
          if (actor !== 'stranger' || Object.keys(call.args ?? {}).length > 0) return
          record(`${call.operation}, refused by ${error}`, { before: world, call, after: null })
        },
      },
    )
    if (start) runAccountCalls({ ...start, usdc: { ...start.usdc, poster: 1n } }, runRecorded)
  }
  return new Map([...found].map(([name, { calls }]) => [name, calls]))
}

const taskRules = buildTaskRules(tables)
const disputeRules = buildDisputeRules(tables)

/** Names the row of a call as `Step.name` does. A call about a wallet's own money has the name of its operation. */
function nameRow(world: World, call: Call): string {
  const { operation, taskId, args = {}, caller } = call
  const task = taskId === undefined ? args.terms && newTask(args.terms, args.poster ?? caller) : world.tasks[taskId]
  if (!task) return operation
  const result = tables.disputes.some((row) => row.operation === operation)
    ? evaluate(disputeRules, operation, task.dispute.phase, () => disputeSituation(world, task, call))
    : evaluate(taskRules, operation, task.state, () => situation(world, task, call))
  return typeof result === 'string' ? operation : nameTransition(result.row)
}

function runAccountCalls(start: World, run: ReturnType<typeof createStep>): void {
  const calls: readonly Call[] = [
    { operation: 'topUp', caller: 'poster', args: { amount: 1n } },
    { operation: 'withdrawDeposit', caller: 'poster', args: { amount: 1n } },
    { operation: 'register', caller: 'poster', args: { amount: minBond } },
    { operation: 'requestUnbond', caller: 'poster' },
    { operation: 'unbond', caller: 'poster' },
    { operation: 'pauseEntries', caller: 'poster' },
    { operation: 'unpauseEntries', caller: 'poster' },
  ]
  calls.reduce((world, call) => {
    const outcome = run(call.operation === 'unbond' ? wait(world, unbondCooldown) : world, call)
    return 'world' in outcome ? outcome.world : world
  }, start)
}

/** Reads the values of the task that a call moves, before and after it. */
function readCall({ call, before, after }: ModelCall): { before: Values; after: Values | null } {
  const id = call.taskId ?? (call.args?.terms ? before.tasks.length : 0)
  const next = after?.tasks[id] ?? null
  const last = before.tasks[id] ?? (next && newTask(next.terms, next.poster))
  const wallets = {
    poster: last?.poster ?? call.caller,
    worker: last?.worker ?? next?.worker ?? '',
    judge: last?.dispute.judge ?? next?.dispute.judge ?? call.caller,
  }
  return { before: readValues(before, last, wallets), after: after && readValues(after, next, wallets) }
}

function readValues(world: World, task: Task | null, wallets: Record<'poster' | 'worker' | 'judge', string>): Values {
  const { poster, worker, judge } = wallets
  const { bond, locked, slashed } = world.arbitrators[judge] ?? newArbitrator
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const shared = {
    now: world.now,
    escrowBalance: world.tok.escrowVault ?? 0n,
    escrowWaiting: 0,
    depositBalance: world.usdc.depositVault ?? 0n,
    deposits: sum(Object.values(world.deposits)),
    posterDeposit: world.deposits[poster] ?? 0n,
    posterReserved: world.reserved[poster] ?? 0n,
    workerDeposit: world.deposits[worker] ?? 0n,
    workerReserved: world.reserved[worker] ?? 0n,
    arbitrationBalance: world.tok.arbitration ?? 0n,
    arbitrationWaiting: 0,
    bonds: sum(Object.values(world.arbitrators).map((arbitrator) => arbitrator.bond)),
    bond,
    locked,
    slashed,
  }
  if (!task) return shared
  const { terms, current, dispute } = task
  const { amount: disputed, judge: seated, phase } = dispute
  const caseLock = phase === 'NONE' ? 0n : computeJudgeLock(disputed)
  const isOpen = phase !== 'NONE' && phase !== 'CLOSED'
  return {
    ...shared,
    ...pickKnown(task),
    ...pickKnown(dispute),
    state: taskStates.indexOf(task.state),
    phase: disputePhases.indexOf(phase),
    isPrivate: terms.scope === 'PRIVATE',
    hasWorker: task.worker !== null,
    hasStore: terms.store !== null,
    hasJudge: seated !== null,
    amount: amountOf(task, current),
    later: sum(terms.amounts.slice(current + 1)),
    left: Math.max(0, terms.amounts.length - current - 1),
    maxRevisions: terms.maxRevisions,
    revisionsLeft: terms.maxRevisions - task.revisions,
    noticeTime: noticeTime(terms, world.params),
    claimCutoff: terms.claimDeadline - world.params.claimCutoff,
    claimEnd: task.claimedAt === 0 ? 0 : task.claimedAt + world.params.fundingWindow,
    posterExit: task.exitDeposits[poster] ?? 0n,
    workerExit: task.exitDeposits[worker] ?? 0n,
    posterReserve: task.reserves[poster] ?? 0n,
    workerReserve: task.reserves[worker] ?? 0n,
    disputed,
    offer: dispute.offerBps,
    ask: dispute.askBps,
    endShare: dispute.workerBps,
    caseLock,
    lock: isOpen && seated !== null ? caseLock : 0,
  }
}

/** The fields of a record that are variables of the same name. */
function pickKnown(record: object): Values {
  return Object.fromEntries(Object.entries(record).filter(([name]) => variables.has(name)))
}
