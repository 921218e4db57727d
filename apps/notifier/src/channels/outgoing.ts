import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import type { ChannelName, OutgoingMessage, SendResult } from './channel.ts'
import { type ContactKey, type Contacts, createContacts } from './contacts.ts'
import { createEmailChannel, type EmailChannel, type EmailOptions, emailAddress } from './email.ts'
import { createPublicRequester, type PublicRequester } from './publicRequest.ts'
import { createPushChannel, getPushPublicKey, type PushOptions } from './push.ts'
import type { ResolveName } from './resolveName.ts'
import { createSignedTokens, type SignedTokens } from './signedTokens.ts'
import { createWebhookChannel } from './webhook.ts'

/** What is stored of each target, encrypted. */
export interface StoredTargets {
  webhook: { url: string; secret: string }
  email: { address: string }
  push: { endpoint: string; keys: { p256dh: string; auth: string } }
}

const targetSchemas: { readonly [Name in ChannelName]: z.ZodType<StoredTargets[Name]> } = {
  webhook: z.object({ url: z.string(), secret: z.string() }),
  email: z.object({ address: emailAddress }),
  push: z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) }),
}

/** A subscription as far as sending needs it. */
export interface SendableSubscription {
  id: string
  wallet: string
  channel: ChannelName
  /** Encrypted. */
  target: string
}

export interface OutgoingOptions {
  keys: readonly ContactKey[]
  /** Public URL of the web site: links in e-mails lead there. */
  siteUrl: string
  allowedOrigins?: readonly string[]
  /** Resolves the names of webhooks; by default with the name servers of the machine. */
  resolve?: ResolveName | undefined
  /** Without it there is no e-mail. */
  email?: EmailOptions | undefined
  /** Without it there is no push. */
  push?: PushOptions | undefined
}

/** The channels that are set up, and what opens the targets of subscriptions. */
export interface Outgoing {
  names: readonly ChannelName[]
  /** The public VAPID key; null without push. */
  pushKey: string | null
  siteUrl: string
  contacts: Contacts
  tokens: SignedTokens
  requester: PublicRequester
  email: EmailChannel | null
  /** Sends a message once. The target is decrypted here and nowhere else on the way. */
  send: (to: SendableSubscription, message: OutgoingMessage, signal: AbortSignal) => Promise<SendResult>
  /** Shortens a target, so that its owner recognises it. */
  describeTarget: (subscription: SendableSubscription) => string
  close: () => void
}

/** Sets the channels up. Webhooks need nothing but the key for contact data. */
export function createOutgoing({
  keys,
  siteUrl,
  allowedOrigins = [],
  resolve,
  email,
  push,
}: OutgoingOptions): Outgoing {
  const contacts = createContacts(keys)
  const tokens = createSignedTokens(contacts.tokenKeys)
  const requester = createPublicRequester({ allowedOrigins, ...(resolve && { resolve }) })
  const webhookChannel = createWebhookChannel(requester)
  const emailChannel = email ? createEmailChannel(email) : null
  const pushChannel = push ? createPushChannel(push, requester) : null

  const open = <Name extends ChannelName>(name: Name, { wallet, target }: SendableSubscription): StoredTargets[Name] =>
    targetSchemas[name].parse(contacts.decrypt({ wallet: getAddress(wallet), channel: name }, target))

  return {
    names: ['webhook', ...(emailChannel ? ['email' as const] : []), ...(pushChannel ? ['push' as const] : [])],
    pushKey: push ? getPushPublicKey(push.privateKey) : null,
    siteUrl,
    contacts,
    tokens,
    requester,
    email: emailChannel,
    async send(to, message, signal) {
      switch (to.channel) {
        case 'webhook':
          return webhookChannel.send(open('webhook', to), message, signal)
        case 'email': {
          if (!emailChannel) return notSetUp
          const token = tokens.create('unsubscribe', to.id, null)
          const target = {
            ...open('email', to),
            unsubscribeUrl: `${siteUrl}/notify/v1/unsubscribe/${token}`,
            settingsUrl: `${siteUrl}/settings/notifications`,
          }
          return emailChannel.send(target, message, signal)
        }
        case 'push':
          return pushChannel ? pushChannel.send(open('push', to), message, signal) : notSetUp
      }
    },
    describeTarget(subscription) {
      switch (subscription.channel) {
        case 'webhook':
          return `${new URL(open('webhook', subscription).url).host}/…`
        case 'email':
          return open('email', subscription).address.replace(/^(.).*@/, '$1…@')
        case 'push':
          return new URL(open('push', subscription).endpoint).host
      }
    },
    close: () => emailChannel?.close(),
  }
}

const notSetUp: SendResult = { result: 'retry', reason: 'The operator has not set this channel up.' }

/** The message behind the test button. */
export const buildTestMessage = (id: string, wallet: Address, siteUrl: string, now: number): OutgoingMessage => ({
  id,
  kind: 'test',
  wallet,
  market: 'standard',
  taskId: null,
  title: 'Test of your notifications',
  text: 'This is a test. Notifications of the Task Market arrive here.',
  url: `${siteUrl}/settings/notifications`,
  deadline: null,
  createdAt: now,
  data: {},
})
