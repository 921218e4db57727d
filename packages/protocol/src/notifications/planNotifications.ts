import { type Address, keccak256, stringToBytes } from 'viem'
import type { Market } from '../base/market.ts'
import { isPlainText } from '../base/plainText.ts'
import { listAffectedEntities } from '../fold/affectedEntities.ts'
import { applyDispute } from '../fold/dispute.ts'
import type { MarketEvent } from '../fold/event.ts'
import { applyTask, type FoldedTask } from '../fold/task.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { decodeTaskText } from '../tasks/taskText.ts'
import { phaseClocks, stateClocks } from './clockRules.ts'
import { eventRules } from './eventRules.ts'
import {
  type Clock,
  formatTaskName,
  type MessageRule,
  type ReminderName,
  type RuleContext,
  reminderNames,
  type Urgency,
} from './rule.ts'

/** A message for one wallet about one task. */
export interface PlannedNotification {
  /**
   * Names what it says: market, task, transaction, content and wallet, but not the block. If a reorganisation includes the same
   * transaction again with the same result, the notification stays the same.
   */
  id: string
  kind: string
  /** Whether a clock caused it, not an event. */
  isReminder: boolean
  urgency: Urgency
  wallet: Address
  title: string
  text: string
  /** Unix seconds; null if no clock runs. */
  deadline: number | null
  /** The block of the event that caused it; for a reminder, that of the event which started its clock. */
  block: number
  /** Unix seconds: the time of that block, or when the reminder was due. */
  createdAt: number
}

export interface NotificationPlan {
  /** What must have been sent by now, in order. */
  notifications: readonly PlannedNotification[]
  /** Reminders that were right if they went out while their clock ran. Nothing else may have been sent. */
  allowed: ReadonlySet<string>
  /** When the next reminder is due, in unix seconds; null if none is to come. */
  nextDue: number | null
  /** The clocks that run and remind somebody before they end. */
  deadlines: readonly PlannedDeadline[]
  /** The event that posted the task, named like a notification; null if it was not posted in public. */
  posted: { id: string; block: number } | null
}

/** When a wallet must have acted. */
interface PlannedDeadline {
  /** The name of the clock. */
  clock: string
  /** What people call the task. */
  taskName: string
  wallet: Address
  /** Unix seconds. */
  end: number
  /** What to do by then. */
  text: string
}

export interface PlanOptions {
  market: Market
  finalCourt: Address
  /** All events of one task, complete and in order, with the hashes of their transactions. */
  events: readonly MarketEvent[]
  /** The time of the last block, in unix seconds. */
  now: number
}

interface RunningClock {
  clock: Clock
  wallet: Address
  end: number
  /** The event that started it. */
  start: MarketEvent
  id: string
  context: RuleContext
}

/**
 * Plans every notification of a task from its events and the time alone. Calling it again, after more events, a crash or a
 * reorganisation, gives what should have been sent: the difference to what was sent is what to send, or to correct.
 *
 * @example
 * ```ts
 * const { notifications, allowed, nextDue } = planNotifications({ market, finalCourt, events, now: block.timestamp })
 * ```
 */
export function planNotifications({ market, finalCourt, events, now }: PlanOptions): NotificationPlan {
  const notifications: PlannedNotification[] = []
  const allowed = new Set<string>()
  const seen = new Map<string, number>()
  let task: FoldedTask | null = null
  let title: string | null = null
  let dispute: DisputeRecord | null = null
  let running = new Map<string, RunningClock>()
  let posted: NotificationPlan['posted'] = null

  for (const event of events) {
    const before: FoldedTask | null = task
    if (event.kind === 'taskScopeRegistry.TaskTextPublished') title = readTitle(event.args.text)
    for (const key of listAffectedEntities(event)) {
      if (key.startsWith('task:')) task = applyTask(task, event)
      if (key.startsWith('dispute:')) dispute = applyDispute(dispute, event)
    }
    if (!task) continue
    const context: RuleContext = { market, task, title, before, dispute, finalCourt }
    const name = identify(market, event, seen)
    if (event.kind === 'taskRegistry.TaskPosted') posted = { id: hashId(name), block: event.block.number }
    notifications.push(...planMessages(event, context, name))
    running = advanceClocks(running, context, event, name, allowed)
  }

  let nextDue: number | null = null
  for (const each of running.values()) {
    for (const { reminder, due, until } of listReminders(each)) {
      const planned = planReminder(each, reminder, due)
      if (!planned) continue
      if (now < due) {
        nextDue = Math.min(nextDue ?? due, due)
        // It went out on a chain whose clock was ahead; it is right soon.
        allowed.add(planned.id)
      } else if (now <= until) notifications.push(planned)
      else allowed.add(planned.id)
    }
  }
  const deadlines = [...running.values()].flatMap(({ clock, wallet, end, context }) => {
    const reminder = clock.reminders.hour ?? clock.reminders.quarter
    return reminder && end > now
      ? [{ clock: clock.name, taskName: formatTaskName(context), wallet, end, text: reminder.text(context) }]
      : []
  })
  return { notifications, allowed, nextDue, deadlines, posted }
}

/** Reads the title of a text. A stranger wrote it, so that only plain text is repeated: it becomes a line of an e-mail. */
function readTitle(text: string): string | null {
  const { title } = decodeTaskText(text)
  return title !== '' && isPlainText(title) ? title : null
}

/** Names an event by its content. `seen` counts repeats within a transaction. */
function identify(market: Market, event: MarketEvent, seen: Map<string, number>): string {
  const args = JSON.stringify(event.args, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const base = `${market}|${event.transactionHash ?? ''}|${event.kind}|${args}`
  const repeat = seen.get(base) ?? 0
  seen.set(base, repeat + 1)
  return `${base}|${repeat}`
}

function planMessages(event: MarketEvent, context: RuleContext, name: string): PlannedNotification[] {
  const rule = eventRules[event.kind]
  if ('silent' in rule) return []
  // The table has each rule under the kind of its own event.
  const messages = rule.messages as readonly MessageRule<MarketEvent>[]
  return messages.flatMap((message) =>
    listWallets(message.to(context, event)).map((wallet) => ({
      id: hashId(`${name}|${message.kind}|${wallet}`),
      kind: message.kind,
      isReminder: false,
      urgency: message.urgency,
      wallet,
      title: message.title(context, event),
      text: message.text(context, event),
      deadline: message.deadline?.(context, event) || null,
      block: event.block.number,
      createdAt: event.block.timestamp,
    })),
  )
}

/** Returns the clocks that run after an event. Reminders of those that it stopped were right if they were due before. */
function advanceClocks(
  running: ReadonlyMap<string, RunningClock>,
  context: RuleContext,
  event: MarketEvent,
  name: string,
  allowed: Set<string>,
): Map<string, RunningClock> {
  const next = new Map<string, RunningClock>()
  for (const clock of listClocks(context)) {
    const end = clock.end(context)
    if (end === 0) continue
    for (const wallet of listWallets(clock.to(context))) {
      const key = `${clock.name}|${wallet}|${end}`
      const same = running.get(key)
      next.set(key, same ? { ...same, context } : { clock, wallet, end, start: event, id: `${name}|${key}`, context })
    }
  }
  for (const [key, each] of running) {
    if (next.has(key)) continue
    for (const { reminder, due } of listReminders(each)) {
      const planned = planReminder(each, reminder, due)
      if (planned && due <= event.block.timestamp) allowed.add(planned.id)
    }
  }
  return next
}

function listClocks({ task, dispute }: RuleContext): readonly Clock[] {
  const ofState = stateClocks[task.state]
  const ofPhase = task.state === 'DISPUTED' ? phaseClocks[dispute?.phase ?? 'NONE'] : null
  return [ofState, ofPhase].flatMap((rule) => (rule && 'clocks' in rule ? rule.clocks : []))
}

const hour = 3_600

/** Lists when each reminder of a clock is due, and until when it makes sense. */
function listReminders({ end, start }: Pick<RunningClock, 'end' | 'start'>) {
  const quarter = end - Math.floor((end - start.block.timestamp) / 4)
  const times: Record<ReminderName, { due: number; until: number }> = {
    quarter: { due: quarter, until: end },
    hour: { due: end - hour, until: end },
    over: { due: end + 1, until: Number.POSITIVE_INFINITY },
  }
  // In a short window, the last hour begins before the last quarter: one reminder is enough.
  const names = reminderNames.filter((name) => name !== 'hour' || times.hour.due > quarter)
  return names.map((reminder) => ({ reminder, ...times[reminder] }))
}

function planReminder(
  { clock, wallet, end, start, id, context }: RunningClock,
  name: ReminderName,
  due: number,
): PlannedNotification | null {
  const reminder = clock.reminders[name]
  if (!reminder) return null
  return {
    id: hashId(`${id}|${name}`),
    kind: `${clock.name}-${name}`,
    isReminder: true,
    urgency: reminder.urgency,
    wallet,
    title: reminder.title(context),
    text: reminder.text(context),
    deadline: name === 'over' ? null : end,
    block: start.block.number,
    createdAt: due,
  }
}

/** The wallets of a list, each once. */
const listWallets = (found: readonly (Address | null)[]): Address[] =>
  [...new Set(found)].filter((each) => each !== null)

const hashId = (text: string) => `ntf_${keccak256(stringToBytes(text)).slice(2, 42)}`
