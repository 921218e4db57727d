import { type BlockRef, getTaskContext, type Provider, readDisputes, readTasks } from '@svc/chain'
import { accounts, advanceTimeTo, type Job, type Scene } from '@svc/devnet'
import { terminalStates } from '@svc/protocol'
import { type AnyAction, actionList, encodeActionInput, type NextStep, type TaskContext } from '@svc/protocol/actions'
import { findNextMoment, findNextStep } from '@svc/protocol/internal/steps'
import { disputes, lifecycle } from '@svc/protocol/lifecycle'
import type { Address, Hex } from 'viem'
import { buildFullInput } from '../protocol/buildFullInput.ts'

/** A row of either table, as text. */
const nameRow = ({ operation, from, when }: { operation: string; from: string; when?: string }) =>
  `${operation} ${from}${when ? ` (${when})` : ''}`

/** What lets somebody into the market: a pause or a sunset refuses it. */
export const entries: ReadonlySet<string> = new Set(
  lifecycle.filter(({ guards }) => guards.includes('entriesOpen')).map(nameRow),
)

/** What wallets can do with a task that has begun. No change of governance may hinder any of it. */
export const exits: ReadonlySet<string> = new Set(
  [
    ...lifecycle.filter(({ by, guards }) => by !== 'arbitration' && !guards.includes('entriesOpen')),
    ...disputes.filter(({ by }) => by !== 'registry'),
  ].map(nameRow),
)

/** Rows that few situations lead to are below the others of their operation, so the last of the wanted ones comes first. */
const order = [...exits]

/** Inputs that lead to other rows than the default does. */
const choices: Record<string, (context: TaskContext) => Record<string, unknown>[]> = {
  'submit-evidence': ({ dispute }) => {
    const [offerBps, askBps] = [dispute?.offerBps ?? 0n, dispute?.askBps ?? 0n]
    return [(offerBps + askBps) / 2n, offerBps, askBps].map((shareBps) => ({ shareBps }))
  },
  'decide-dispute': () => [true, false].map((forWorker) => ({ forWorker })),
}

/** A step that the tables allow a wallet. */
interface Exit extends NextStep {
  name: string
  by: Address
  input: Record<string, unknown>
}

const taskActions = actionList.filter(({ operation, input }) => operation && 'taskId' in input.shape)
const terminal = new Set<string>([...terminalStates, 'CLOSED'])
/** Whether a step ends the task, or the case. */
const isEnd = ({ row }: NextStep) => terminal.has(typeof row.to === 'string' ? row.to : row.to.PRIVATE)

/** Lists what these wallets may do with a task. */
function listExits(context: TaskContext, wallets: readonly Address[], now: number): Exit[] {
  return wallets.flatMap((by) =>
    taskActions.flatMap((action) =>
      (choices[action.name]?.(context) ?? [{}]).flatMap((input) => {
        const step = findNextStep(action, context, by, now, input)
        return step && exits.has(nameRow(step.row)) ? [{ ...step, name: nameRow(step.row), by, input }] : []
      }),
    ),
  )
}

/** Prepares an action through the API, and sends its calls. Both throw if the action is refused. */
export interface DrilledWallet {
  prepare: (action: AnyAction, input: Record<string, unknown>, from: Address) => Promise<readonly PreparedCall[]>
  send: (from: Address, calls: readonly PreparedCall[]) => Promise<void>
}

interface PreparedCall {
  to: Address
  data: Hex
}

/** A task of a drill, and the way into the state that it was left in. */
export interface DrilledTask extends Pick<Job, 'id' | 'terms'> {
  way: string
}

export interface DrillOptions {
  provider: Provider
  scene: Scene
  tasks: readonly DrilledTask[]
  wallet: DrilledWallet
  judges: readonly Address[]
  /** Execute every exit once; otherwise only those that lead on, and one that ends each task. */
  isFull: boolean
}

/** The exits that were prepared, and those that were executed, by the name of their row. */
export interface DrillReport {
  prepared: Set<string>
  executed: Set<string>
}

/** Reads what decides about tasks, and finds what is allowed. */
function createDrill({ provider, scene, tasks, wallet, judges }: DrillOptions) {
  const { client, contracts, market } = scene
  const stranger = accounts.newcomer.address
  const court = [contracts.finalCourt, ...judges]
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const findTask = ({ taskId }: TaskContext) => {
    const task = byId.get(taskId.number)
    if (!task) throw new Error(`Task ${taskId.number} is not part of the drill.`)
    return task
  }
  const report: DrillReport = { prepared: new Set(), executed: new Set() }
  const live = new Map<bigint, TaskContext>()
  const readHead = async (): Promise<BlockRef> => {
    const { number, hash, timestamp } = await client.getBlock()
    return { number, hash, timestamp: Number(timestamp) }
  }
  return {
    report,
    live,
    readHead,
    findTask,
    async read(ids: Iterable<bigint>) {
      const block = await readHead()
      const readOne = async (number: bigint) => {
        const readFor = (wallets: readonly Address[]) =>
          getTaskContext(provider, contracts, { market, number }, wallets, block)
        // Only a dispute concerns the court and the judges.
        const hasDispute = live.get(number)?.task.state === 'DISPUTED'
        const found = await readFor(hasDispute ? [stranger, ...court] : [stranger])
        const context = found?.dispute && !hasDispute ? await readFor([stranger, ...court]) : found
        if (!context) throw new Error(`Task ${number} was not read.`)
        if (terminal.has(context.task.state)) live.delete(number)
        else live.set(number, context)
      }
      await Promise.all([...ids].map(readOne))
    },
    list(context: TaskContext, now: number) {
      const { poster, worker } = context.task
      const parties = [poster, ...(worker ? [worker] : []), stranger, ...(context.dispute ? court : [])]
      return listExits(context, parties as Address[], now)
    },
    async prepare(context: TaskContext, { action, by, input, name }: Exit) {
      const { terms } = findTask(context)
      const whole = await buildFullInput(scene, { action, context, terms, wallet: by })
      const calls = await wallet.prepare(action, encodeActionInput(action, { ...whole, ...input }), by)
      report.prepared.add(name)
      return calls
    },
  }
}

/**
 * Prepares every exit that the tables allow now, once for each row, or for each action and role if `isFull` is not set. Nothing is
 * executed.
 */
export async function prepareExits(options: DrillOptions): Promise<DrillReport> {
  const drill = createDrill(options)
  await drill.read(options.tasks.map(({ id }) => id))
  const { timestamp: now } = await drill.readHead()
  const found = new Map<string, [TaskContext, Exit]>()
  for (const context of drill.live.values())
    for (const exit of drill.list(context, now))
      found.set(options.isFull ? exit.name : `${exit.action.name} ${exit.row.by}`, [context, exit])
  await Promise.all([...found.values()].map(([context, exit]) => drill.prepare(context, exit)))
  return drill.report
}

/**
 * Leaves tasks in every way that the tables allow, through calls that the API prepares: whatever is allowed now is prepared, then
 * executed, then time moves to the next moment at which the tables allow something else. At the end no task runs.
 */
export async function drillExits(options: DrillOptions): Promise<DrillReport> {
  const { provider, scene, tasks, wallet, isFull } = options
  const { client, contracts, market } = scene
  const { report, live, ...drill } = createDrill(options)
  const doneByWay = new Set<string>()
  const execute = async (context: TaskContext, exit: Exit) => {
    await wallet.send(exit.by, await drill.prepare(context, exit))
    report.executed.add(exit.name)
    doneByWay.add(`${drill.findTask(context).way} ${exit.name}`)
    await drill.read([context.taskId.number])
  }
  /** Each row is executed once. What anyone may do leads some tasks to other rows than others, so it is repeated. */
  const isWanted = (context: TaskContext, exit: Exit) => {
    if (isEnd(exit)) return isFull && !report.executed.has(exit.name)
    const isRepeated = exit.row.by === 'anyone' && !doneByWay.has(`${drill.findTask(context).way} ${exit.name}`)
    return isRepeated || !report.executed.has(exit.name)
  }
  /** Prepares what is new, and executes at most one step of each task. Returns whether a task moved. */
  const pass = async (now: number) => {
    let moved = false
    for (const context of inOrder()) {
      const offered = drill.list(context, now)
      const isNew = new Map(offered.filter(({ name }) => !report.prepared.has(name)).map((exit) => [exit.name, exit]))
      await Promise.all([...isNew.values()].map((exit) => drill.prepare(context, exit)))
      const wanted = offered.filter((exit) => isWanted(context, exit))
      const next = wanted.toSorted((a, b) => +isEnd(a) - +isEnd(b) || order.indexOf(b.name) - order.indexOf(a.name))[0]
      if (!next) continue
      await execute(context, next)
      moved = true
    }
    return moved
  }
  /** The live tasks, in the order in which they began. */
  const inOrder = () => [...live.values()].toSorted((a, b) => Number(a.taskId.number - b.taskId.number))

  await drill.read(tasks.map(({ id }) => id))
  for (;;) {
    const { timestamp: now } = await drill.readHead()
    if (await pass(now)) continue
    const next = await findNextChange(now)
    if (next === null) break
    await advanceTimeTo(client, next + 1)
  }
  // An open task that loses its worker opens again, so it has two ends.
  for (let [context] = inOrder(); context; [context] = inOrder()) {
    const { timestamp: now } = await drill.readHead()
    const end = drill.list(context, now).find(isEnd)
    if (!end) throw new Error(`Nobody can end task ${context.taskId.number}, which is ${context.task.state}.`)
    await execute(context, end)
  }
  return report

  /** Finds when the tables next allow something else. The tasks began within minutes of each other, so their moments do too. */
  async function findNextChange(now: number): Promise<number | null> {
    const ids = [...live.keys()]
    const at = await drill.readHead()
    const cases = new Map((await readDisputes(provider, contracts, ids, at)).map((each) => [each.number, each]))
    const moments = (await readTasks(provider, contracts, ids, at)).flatMap(
      (task) => findNextMoment({ market, number: task.number }, task, cases.get(task.number) ?? null, now) ?? [],
    )
    const first = Math.min(...moments)
    return moments.length > 0 ? Math.max(...moments.filter((moment) => moment < first + clusterSeconds)) : null
  }
}

/** Less than the shortest window of a market. */
const clusterSeconds = 600
