import type { SignInDeps } from '@svc/serve'
import type { ChannelName } from './channels/channel.ts'
import type { Inbox } from './records/inbox.ts'

/** What the calls of the notifier work with. */
export interface NotifierDeps extends SignInDeps {
  inbox: Inbox
  /** The channels that are set up, besides the inbox. */
  channels: readonly ChannelName[]
  /** The public VAPID key; null without push. */
  pushKey: string | null
}
