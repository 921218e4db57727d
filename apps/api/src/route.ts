import type { Deployments, MarketReader } from '@svc/chain'
import type { Described, ReadRoute } from '@svc/reads'
import type { Parsed, Shape } from '@svc/serve'
import type { Actions } from './actions/actions.ts'
import type { Chat } from './chat/chat.ts'
import type { Differential } from './differential.ts'
import type { Posting } from './posting/posting.ts'

/** A call that is never cached. */
export interface CallRoute<S extends Shape = Shape> extends Described {
  kind: 'call'
  method: 'get' | 'post'
  /** Of the query for GET, of the JSON body for POST. */
  input: S
  /** Refuses names that `input` does not have. */
  strict?: boolean
  /** So many bytes of a body are read at most; unless set, 64 KiB. */
  maxBody?: number
  /** Refuses a request before its body is read. */
  admit?: (deps: CallDeps, caller: Caller) => void
  call: (input: Parsed<S>, deps: CallDeps, caller: Caller) => Promise<unknown>
}

/** Who calls, as far as anybody knows. */
interface Caller {
  client: string
  /** Aborted when the client leaves. */
  signal: AbortSignal
}

/** What calls work with. */
export interface CallDeps {
  places: Deployments
  posting: Posting
  publicRpcUrl: string
  /** Whatever of the chain the index does not have. */
  reader: MarketReader
  chat: Chat
  actions: Actions
  differential: Differential
}

export type Route = ReadRoute | CallRoute

/** The method of a route. */
export const methodOf = (route: Route): 'get' | 'post' => (route.kind === 'read' ? 'get' : route.method)

/** A call route; only helps the types. */
export function defineCall<S extends Shape>(route: Omit<CallRoute<S>, 'kind'>): CallRoute {
  return { kind: 'call', ...route } as unknown as CallRoute
}
