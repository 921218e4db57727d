import type { Deployments, MarketReader } from '@svc/chain'
import type { Database } from '@svc/serve'
import type { Actions } from '../actions/actions.ts'
import type { Chat } from '../chat/chat.ts'
import type { Differential } from '../differential.ts'
import type { Posting } from '../posting/posting.ts'
import type { Answers } from '../reads/answers.ts'
import type { Reads } from '../reads/reads.ts'
import type { ForwardedStore } from '../serviceForward.ts'

/** Dependencies of the calls. */
export interface CallDeps {
  deployments: Deployments
  posting: Posting
  publicRpcUrl: string
  /** The URL of the web site, for links to its pages; undefined if the operator has not set it. */
  siteUrl: string | undefined
  /** The store of delivered work; null if there is none. */
  store: ForwardedStore | null
  /** The URL of the notifier, as this service reaches it; null if there is none. */
  notifierUrl: string | null
  /** Reads directly from the chain, for data that the index does not have. */
  reader: MarketReader
  /** Reads from the index, or from the chain if the index is not usable. */
  reads: Reads
  /** Answers reads from the cache, in the client's turn. */
  answers: Answers
  /** The profiles that wallets signed. */
  profiles: Database
  chat: Chat
  actions: Actions
  differential: Differential
}
