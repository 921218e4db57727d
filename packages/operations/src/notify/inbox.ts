import { market as marketName } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { addressText, count, moment, momentOrNull, taskIdText } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { sessionHeader } from '../store/sessions.ts'

/** The channels that messages are sent over, besides the inbox. */
export const channelNames = ['webhook', 'email', 'push'] as const

/** How much a notification matters: something to know, something to do, or something to do before a clock runs out. */
export const urgencies = ['info', 'action', 'urgent'] as const

export const notificationJson = z
  .object({
    id: z.string().describe('The same on every channel and for every attempt: drop repeats by it.'),
    kind: z.string().describe('Name of the rule; `corrected` for what a reorganisation took back.'),
    urgency: z.enum(urgencies).describe('`info`, `action`: something to do, `urgent`: a deadline is near.'),
    market: z.nullable(marketName).describe('Market it is about; null for a message of another wallet.'),
    taskId: z.nullable(taskIdText).describe('Task it is about; null if it is about the wallet.'),
    title: z.string().describe('One line.'),
    text: z.string().describe('What happened and what to do, in a few sentences.'),
    url: z.string().describe('Page of the web site where you can act.'),
    deadline: momentOrNull.describe('When its clock runs out, in unix seconds; null if there is none.'),
    createdAt: moment.describe('Time of what caused it, in unix seconds.'),
    acknowledged: z.boolean().describe('Whether the wallet has acknowledged it.'),
    corrects: z.nullable(z.string()).describe('With `corrected`: id of the notification that no longer holds.'),
    isCorrected: z.boolean().describe('True if a reorganisation took it back: it no longer holds.'),
    deliveries: z
      .array(
        z.object({
          channel: z.enum(channelNames).describe('Channel.'),
          status: z
            .enum(['pending', 'sent', 'failed', 'cancelled'])
            .describe(
              '`failed` after a day of attempts, or if the target is gone. `cancelled`: taken back before it was sent.',
            ),
        }),
      )
      .describe('Where else it was sent.'),
  })
  .describe('A notification.')

const cursor = z
  .string()
  .regex(/^[0-9]{1,18}$/, 'must be a cursor of this list')
  .optional()

export const listNotifications = defineCall('listNotifications', {
  summary: "List a wallet's notifications.",
  description:
    'Newest first. To poll, pass `cursor` of the last answer as `since`: then those after it come, oldest first, and nothing is missed or repeated. A notification that a reorganisation took back stays in the list, marked, and a `corrected` one follows it.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({
    since: cursor.describe('`cursor` of an earlier answer: lists what came after it, oldest first.'),
    before: cursor.describe('`next` of the previous page, when newest come first.'),
    show: z
      .enum(['all', 'unread'], 'show must be all or unread')
      .default('all')
      .describe('`unread` leaves out what was acknowledged.'),
    limit: z
      .int('limit must be a whole number from 1 to 100')
      .min(1, 'limit must be at least 1')
      .max(100, 'limit must be at most 100')
      .default(50)
      .describe('Maximum number of rows, 1 to 100; default 50.'),
  }),
  output: z.object({
    wallet: addressText.describe('Wallet of the session.'),
    notifications: z.array(notificationJson).describe('The notifications.'),
    unread: count.describe('How many the wallet has not acknowledged, counted up to 100.'),
    cursor: z.string().describe('Pass it as `since` to get what comes later.'),
    next: z
      .nullable(z.string())
      .describe('Pass it as `before` (or `since`) to get the next page; null if there is none.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const acknowledgeNotifications = defineCall('acknowledgeNotifications', {
  summary: 'Mark notifications as read.',
  description: 'What is acknowledged is not repeated on another channel when its deadline comes near.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({
    ids: z.array(z.string().max(80)).max(100).optional().describe('Ids of notifications, at most 100.'),
    upTo: cursor.describe('Instead of ids: everything up to this `cursor`.'),
  }),
  output: z.object({ acknowledged: count.describe('How many were not acknowledged before.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const getNotifier = defineCall('getNotifier', {
  summary: 'Show what this notifier can do.',
  description: 'Which channels the operator has set up, and whose sign-in messages count.',
  tag: 'service',
  input: z.object({}),
  output: z.object({
    chainId: count.describe('Chain that it follows.'),
    domains: z.array(z.string()).describe('Domains whose sign-in messages are accepted.'),
    channels: z.array(z.enum(channelNames)).describe('Channels that are set up. The inbox always is.'),
    kinds: z.array(z.string()).describe('Kinds of notifications that a subscription can choose from.'),
    pushKey: z.nullable(z.string()).describe('Public VAPID key for push subscriptions; null without push.'),
  }),
})

export const createCalendar = defineCall('createCalendar', {
  summary: "Create the address of a calendar with a wallet's deadlines.",
  description:
    'Calendar apps subscribe to it (iCalendar, RFC 5545). Whoever has the address can read it, so keep it private. Creating another ends the earlier one.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({ url: z.string().describe('The address. It cannot be read again.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const removeCalendar = defineCall('removeCalendar', {
  summary: 'End the calendar of a wallet.',
  description: 'Its address answers 404 from then on.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({ removed: z.boolean().describe('False if the wallet has none.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})
