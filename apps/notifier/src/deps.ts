import type { Database, SignInDeps } from '@svc/serve'
import type { Outgoing } from './channels/outgoing.ts'
import type { Inbox } from './records/inbox.ts'
import type { Subscriptions } from './records/subscriptions.ts'

/** What the calls of the notifier work with. */
export interface NotifierDeps extends SignInDeps {
  inbox: Inbox
  subscriptions: Subscriptions
  /** The channels that are set up, besides the inbox; null without a key for contact data. */
  outgoing: Outgoing | null
  /** The profiles that wallets signed. The API reads them. */
  profiles: Database
}
