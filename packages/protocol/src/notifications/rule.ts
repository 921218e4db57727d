import type { Address } from 'viem'
import type { Market } from '../base/market.ts'
import type { EventKind, MarketEvents } from '../fold/event.ts'
import type { FoldedTask } from '../fold/task.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { formatTaskId } from '../tasks/taskId.ts'

/** How much a notification matters: something to know, something to do, or something to do before a clock runs out. */
export type Urgency = 'info' | 'action' | 'urgent'

/** A task after an event, with what decides who is notified. */
export interface RuleContext {
  market: Market
  task: FoldedTask
  /** As the poster wrote it, in one plain line; null for a private task, and for a text that is not plain. */
  title: string | null
  /** The task before the event; null for the event that created it. */
  before: FoldedTask | null
  /** The last dispute of the task; null if there was none. */
  dispute: DisputeRecord | null
  finalCourt: Address
}

/** What people call a task: its title in quotes, or its id without one. */
export const formatTaskName = ({ market, task, title }: RuleContext): string =>
  title === null ? formatTaskId({ market, number: task.number }) : `"${title}"`

/** One message that an event causes. */
export interface MessageRule<Event> {
  /** The name of the message: people choose by it what they want to hear. */
  kind: string
  urgency: Urgency
  /** The wallets that get it; nobody if the list is empty. Null stands for a party that the task does not have. */
  to: (context: RuleContext, event: Event) => readonly (Address | null)[]
  title: (context: RuleContext, event: Event) => string
  text: (context: RuleContext, event: Event) => string
  /** When the clock that this message starts runs out, in unix seconds; zero if none runs. */
  deadline?: (context: RuleContext, event: Event) => number
}

/** The messages of an event, or why it has none. */
export type EventRule<Event> = { messages: readonly MessageRule<Event>[] } | { silent: string }

/** A rule for each event of each contract. A missing row is a type error. */
export type EventRules = { readonly [kind in EventKind]: EventRule<MarketEvents[kind]> }

/** The moments of a clock at which somebody is reminded. */
export const reminderNames = ['quarter', 'hour', 'over'] as const

export type ReminderName = (typeof reminderNames)[number]

/** What somebody is reminded of. */
export interface Reminder {
  urgency: Urgency
  title: (context: RuleContext) => string
  text: (context: RuleContext) => string
}

/**
 * A deadline that runs while a task is in a state, or a dispute in a phase. `quarter`: a quarter of the time is left. `hour`: the
 * last hour. `over`: the time is over, and nothing has happened since.
 */
export interface Clock {
  name: string
  /** The wallets that are reminded; empty if the clock does not run. */
  to: (context: RuleContext) => readonly (Address | null)[]
  /** When it runs out, in unix seconds; zero if it does not run. */
  end: (context: RuleContext) => number
  reminders: Readonly<Partial<Record<ReminderName, Reminder>>>
}

/** The clocks of a state, or why it has none. */
export type ClockRule = { clocks: readonly Clock[] } | { silent: string }
