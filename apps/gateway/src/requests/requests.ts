import { type MarketPlaces, type Providers, prepareAction } from '@svc/chain'
import { type AnyAction, actions } from '@svc/protocol/actions'
import { type PreparedJson, type RequestJson, requestStatuses } from '@svc/protocol/http'
import { explainPreparing, HttpError } from '@svc/serve'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { judgeTold } from './judgeTold.ts'
import { proofOf } from './proof.ts'
import { newRequest, requestJsonOf, type StoredRequest } from './request.ts'
import type { Store } from './store.ts'

/** What the page says after the wallet has signed. */
interface Submission {
  account: Address
  transactionHashes: readonly Hex[]
}

/** Prepared requests, as routes and pages deal with them. */
export interface Requests {
  /** Prepares an action. Refuses an unknown task, an input that cannot be read, and what the chain would refuse now. */
  create: (
    action: AnyAction,
    input: Record<string, unknown>,
    from: Address,
    receipt?: StoredRequest['receipt'],
  ) => Promise<RequestJson>
  get: (id: string) => RequestJson
  /** The same, when its status changes or after so long. */
  wait: (id: string, seconds: number, signal: AbortSignal) => Promise<RequestJson>
  submitted: (id: string, submission: Submission) => Promise<RequestJson>
  reject: (id: string) => Promise<RequestJson>
  openCount: () => number
}

export interface RequestsOptions {
  providers: Providers
  places: MarketPlaces
  store: Store
  baseUrl: string
  /** Called when there is something to look for on the chain. */
  look: () => void
  now?: () => number
}

/** The action of this name. */
export function actionNamed(name: string): AnyAction {
  const action = actions.find((each) => each.name === name)
  if (action) return action
  throw new HttpError(400, 'INVALID_REQUEST', `action must be ${actions.map((each) => each.name).join(', ')}.`)
}

/** Prepares requests and keeps them; the chain decides what becomes of them. */
export function createRequests({ providers, places, store, baseUrl, look, now = Date.now }: RequestsOptions): Requests {
  const json = (request: StoredRequest) => requestJsonOf(request, baseUrl)

  function found(id: string): StoredRequest {
    const request = store.get(id)
    if (request) return request
    throw new HttpError(404, 'REQUEST_NOT_FOUND', 'There is no request with this id.', {
      hint: 'Requests are kept for a while after they are settled; prepare it again.',
    })
  }

  return {
    async create(action, input, from, receipt = null) {
      const prepared = await prepareAction(providers, places, { action, input, from }).catch(explainPreparing)
      refuseSureFailure(prepared)
      const request = newRequest(prepared, receipt, now())
      await store.put(request)
      look()
      return json(request)
    },
    get: (id) => json(found(id)),
    async wait(id, seconds, signal) {
      const before = found(id)
      if (requestStatuses[before.status].settled) return json(before)
      const end = now() + seconds * 1000
      for (;;) {
        const left = end - now()
        if (left <= 0 || signal.aborted || found(id).status !== before.status) return json(found(id))
        await store.changed(id, left, signal)
      }
    },
    async submitted(id, { account, transactionHashes }) {
      const request = found(id)
      if (!isAddressEqual(account, request.prepared.from as Address)) {
        throw new HttpError(400, 'INVALID_REQUEST', `This request is for ${request.prepared.from}, not for ${account}.`)
      }
      const told = await possible(request, transactionHashes)
      // A hash of something else is as if nothing had been said.
      if (transactionHashes.length > 0 && told.length === 0) return json(request)
      const latest = found(id)
      const status = latest.status === 'pending' ? 'submitted' : latest.status
      const all = [...new Set([...latest.told, ...told])].slice(-8)
      if (status !== latest.status || all.length !== latest.told.length)
        await store.put({ ...latest, status, told: all })
      look()
      return json(found(id))
    },
    async reject(id) {
      const request = found(id)
      if (request.status === 'rejected') return json(request)
      if (request.status !== 'pending') {
        throw new HttpError(409, 'REQUEST_SETTLED', `The request is ${request.status}: it cannot be rejected any more.`)
      }
      await store.put({ ...request, status: 'rejected' })
      return json(found(id))
    },
    openCount: () => [...store.all()].filter(({ status }) => !requestStatuses[status].settled).length,
  }

  /** Without those that the chain has already shown to be something else. */
  async function possible(request: StoredRequest, hashes: readonly Hex[]): Promise<readonly Hex[]> {
    const told = [...new Set(hashes)].slice(0, 8)
    const judged = await judgeTold({ ...request, told }, proofOf(request, places.markets), providers).catch(() => null)
    return judged?.told ?? told
  }
}

/** Nobody is asked to sign what the chain would refuse. */
function refuseSureFailure({ simulation }: PreparedJson): void {
  if (simulation.status !== 'refused') return
  const { name, message, wayOut } = simulation.error
  throw new HttpError(422, 'WOULD_REVERT', message, { hint: wayOut, reason: name })
}
