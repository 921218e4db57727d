import type { Database, SessionCallDeps } from '@svc/serve'
import type { Address } from 'viem'
import type { Outgoing } from './channels/outgoing.ts'
import type { Calendars } from './records/calendars.ts'
import type { Inbox } from './records/inbox.ts'
import type { Searches } from './records/searches.ts'
import type { Subscriptions } from './records/subscriptions.ts'

/** What the calls of the notifier work with. */
export interface NotifierDeps extends SessionCallDeps {
  inbox: Inbox
  subscriptions: Subscriptions
  searches: Searches
  calendars: Calendars
  /** The channels that are set up, besides the inbox; null without a key for contact data. */
  outgoing: Outgoing | null
  /** The profiles that wallets signed. The API reads them. */
  profiles: Database
  /** Whether a wallet takes part in the market, so that it may publish a profile. */
  canPublish: (wallet: Address) => Promise<boolean>
  /** Whether the market has known a wallet for a day, by its deposit or its tasks. Others have smaller shares. */
  isEstablished: (wallet: Address) => Promise<boolean>
}
