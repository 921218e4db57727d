import { notificationKinds } from '@svc/protocol/notifications'
import * as z from 'zod'
import { addressText, momentOrNull } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { sessionHeader } from '../store/sessions.ts'
import { channelNames } from './inbox.ts'

/** A wallet's targets, all channels together. */
export const maxSubscriptions = 20

const subscriptionId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of a subscription')

const knownKinds: ReadonlySet<string> = new Set(notificationKinds)

const kinds = z
  .nullable(
    z
      .array(z.string().refine((kind) => knownKinds.has(kind), 'must be a kind of notification'))
      .max(notificationKinds.length),
  )
  .default(null)
  .describe('Kinds of notifications that are sent there; null for all.')

const isSecond = z
  .boolean()
  .default(false)
  .describe('True: gets only what was not acknowledged when its deadline comes near.')

const subscriptionJson = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    channel: z.enum(channelNames).describe('Channel.'),
    target: z.string().describe('The target, shortened: enough for its owner to recognise it.'),
    status: z
      .enum(['unverified', 'active', 'gone'])
      .describe('`unverified` until the link in the e-mail was opened. `gone`: the receiver refuses for good.'),
    kinds: z.nullable(z.array(z.string())).describe('Kinds of notifications that are sent there; null for all.'),
    isSecond: z.boolean().describe('True: gets only what was not acknowledged when its deadline comes near.'),
    problem: z.nullable(z.string()).describe('Why the last message did not arrive; null if it did.'),
    createdAt: momentOrNull.describe('When it was added, in unix seconds.'),
  })
  .describe('Where a wallet wants its notifications.')

const addErrors = [
  'SESSION_REQUIRED',
  'CHANNEL_NOT_CONFIGURED',
  'INVALID_TARGET',
  'TOO_MANY_SUBSCRIPTIONS',
  'WORK_QUOTA_REACHED',
  'DATABASE_UNREACHABLE',
] as const
const findErrors = ['SESSION_REQUIRED', 'SUBSCRIPTION_NOT_FOUND', 'DATABASE_UNREACHABLE'] as const

export const listSubscriptions = defineCall('listSubscriptions', {
  summary: 'List where a wallet wants its notifications.',
  description: 'Targets are stored encrypted, and shown shortened.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({
    wallet: addressText.describe('Wallet of the session.'),
    subscriptions: z.array(subscriptionJson).describe('Oldest first.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const addWebhook = defineCall('addWebhook', {
  summary: 'Send notifications to a URL.',
  description:
    'Requests follow Standard Webhooks: verify them with the secret, which is shown only now. The URL must be https, and its name must resolve to public addresses. Redirects are not followed. A request that fails is repeated for a day.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({ url: z.string().max(2_048).describe('The URL that gets a POST request.'), kinds, isSecond }),
  output: z.object({
    id: z.string().describe('Id of the subscription.'),
    secret: z
      .string()
      .describe('Secret that signs the requests. It cannot be read again; adding the URL again replaces it.'),
  }),
  errors: addErrors,
})

export const addEmail = defineCall('addEmail', {
  summary: 'Send notifications to an e-mail address.',
  description:
    'A first e-mail asks whether its owner wants this; nothing else is sent until they follow its link. Adding the address again repeats that e-mail, a few times a day.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({ address: z.string().max(254).describe('The e-mail address.'), kinds, isSecond }),
  output: z.object({
    id: z.string().describe('Id of the subscription.'),
    status: z.enum(['unverified', 'active']).describe('`active` if its owner has agreed before.'),
  }),
  errors: ['DEPOSIT_REQUIRED', ...addErrors, 'CHANNEL_UNREACHABLE', 'RATE_LIMITED'],
})

export const addPush = defineCall('addPush', {
  summary: 'Send notifications to a browser.',
  description: 'Takes what `PushManager.subscribe` returned for the key that `getNotifier` names.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({
    endpoint: z.string().max(2_048).describe('URL of the push service.'),
    keys: z
      .object({
        p256dh: z
          .string()
          .regex(/^[\w-]{87}$/, 'must be 65 bytes as base64url')
          .describe("The browser's public key."),
        auth: z
          .string()
          .regex(/^[\w-]{22}$/, 'must be 16 bytes as base64url')
          .describe("The browser's secret."),
      })
      .describe('Keys that messages are encrypted with.'),
    kinds,
    isSecond,
  }),
  output: z.object({ id: z.string().describe('Id of the subscription.') }),
  errors: addErrors,
})

export const changeSubscription = defineCall('changeSubscription', {
  summary: 'Choose which notifications a target gets.',
  description: 'Takes effect for notifications that come later.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({ id: subscriptionId.describe('Id of the subscription.'), kinds, isSecond }),
  output: z.object({ id: z.string().describe('Id of the subscription.') }),
  errors: findErrors,
})

export const removeSubscription = defineCall('removeSubscription', {
  summary: 'Stop sending notifications to a target, and delete it.',
  description: 'Contact data and messages that were not sent yet are deleted at once. The inbox stays.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({ id: subscriptionId.describe('Id of the subscription.') }),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: findErrors,
})

export const removeSubscriptions = defineCall('removeSubscriptions', {
  summary: 'Delete all contact data of a wallet.',
  description:
    'Removes every subscription with what was not sent yet, the saved searches and the address of the calendar. The inbox stays.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({ removed: z.int().describe('How many subscriptions were removed.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const testSubscription = defineCall('testSubscription', {
  summary: 'Send a test message now.',
  description: 'At most one in ten seconds.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({ id: subscriptionId.describe('Id of the subscription.') }),
  output: z.object({
    sent: z.boolean().describe('Whether the receiver took it.'),
    problem: z.nullable(z.string()).describe('Why not; null if it did.'),
  }),
  errors: [...findErrors, 'CHANNEL_NOT_CONFIGURED', 'RATE_LIMITED'],
})

export const verifySubscription = defineCall('verifySubscription', {
  summary: 'Agree to get notifications by e-mail.',
  description: 'Takes the token of the link that was sent to the address. Needs no session.',
  tag: 'notifications',
  input: z.object({ token: z.string().max(200).describe('Token of the link.') }),
  output: z.object({ wallet: addressText.describe('Wallet whose notifications are sent.') }),
  errors: ['INVALID_TOKEN', 'DATABASE_UNREACHABLE'],
})

export const refuseEmails = defineCall('refuseEmails', {
  summary: 'Say that an e-mail address was named by somebody else.',
  description:
    'Takes the token of a confirmation e-mail (RFC 8058). Subscriptions of the address are deleted, and nobody can name it again, with any plus part. Needs no session. The body is ignored.',
  tag: 'notifications',
  input: z.object({ token: z.string().max(200).describe('Token of the e-mail.') }),
  output: z.object({ removed: z.int().describe('How many subscriptions were deleted.') }),
  errors: ['INVALID_TOKEN', 'DATABASE_UNREACHABLE'],
})

export const unsubscribe = defineCall('unsubscribe', {
  summary: 'Stop e-mails with one request.',
  description:
    'Takes the token of an e-mail (RFC 8058) and deletes the address. Needs no session; repeating it changes nothing. The body is ignored.',
  tag: 'notifications',
  input: z.object({ token: z.string().max(200).describe('Token of the e-mail.') }),
  output: z.object({ removed: z.boolean().describe('False if it was removed before.') }),
  errors: ['INVALID_TOKEN', 'DATABASE_UNREACHABLE'],
})
