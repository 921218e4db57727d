import { type MarketDeployment, type PayFrom, type Providers, prepareActionJson } from '@svc/chain'
import type { PostingQuotaClient } from '@svc/client/node'
import { type PreparedJson, type RequestJson, requestStatuses, ServiceError, unavailable } from '@svc/operations'
import { type AnyAction, actionList, findAction } from '@svc/protocol/actions'
import { rethrowPrepareError } from '@svc/serve'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { buildProof } from './proof.ts'
import { reconcileReportedTxs } from './reconcileReportedTxs.ts'
import { createStoredRequest, findRequestOfLog, formatRequest, type StoredRequest } from './request.ts'
import type { Store } from './store.ts'

/** What the page reports after the wallet has signed. */
interface Submission {
  account: Address
  transactionHashes: readonly Hex[]
}

/** Prepared requests, as routes and pages use them. */
export interface Requests {
  /** Prepares an action. Rejects unknown tasks, invalid input, posts beyond the quota, and calls that would revert now. */
  create: (
    action: AnyAction,
    input: Record<string, unknown>,
    from: Address,
    options?: { receipt?: StoredRequest['receipt']; payFrom?: PayFrom | undefined; asker?: string | undefined },
  ) => Promise<RequestJson>
  get: (id: string) => RequestJson
  /** Like `get`, but resolves when the status changes or after the given time. */
  wait: (id: string, seconds: number, signal: AbortSignal) => Promise<RequestJson>
  submitted: (id: string, submission: Submission) => Promise<RequestJson>
  reject: (id: string) => Promise<RequestJson>
  openCount: () => number
}

export interface RequestsOptions {
  providers: Providers
  places: MarketDeployment
  store: Store
  quota: Pick<PostingQuotaClient, 'check'>
  baseUrl: string
  /** Called when the watcher should check the chain. */
  look: () => void
  now?: () => number
}

/** How often a change is tried before the client has to. */
const maxAttempts = 10

/** Finds an action by name, or throws. */
export function requireAction(name: string): AnyAction {
  const action = findAction(name)
  if (action) return action
  throw new ServiceError('INVALID_REQUEST', `action must be one of ${actionList.map((each) => each.name).join(', ')}.`)
}

/** Prepares and stores requests. The chain decides their outcome. */
export function createRequests(options: RequestsOptions): Requests {
  const { providers, places, store, quota, baseUrl, look, now = Date.now } = options
  const json = (request: StoredRequest) => formatRequest(request, baseUrl)

  function found(id: string): StoredRequest {
    const request = store.get(id)
    if (request) return request
    throw new ServiceError('REQUEST_NOT_FOUND', 'There is no request with this id.', {
      hint: 'Settled requests are deleted after a while. Prepare the action again.',
    })
  }

  return {
    async create(action, input, from, { receipt = null, payFrom, asker } = {}) {
      const prepared = await prepareActionJson(providers, places, { action, input, from, payFrom })
        .catch(rethrowPrepareError)
        .then(quota.check)
      refuseSureFailure(prepared)
      const request = await store.add(createStoredRequest(prepared, receipt, now(), asker))
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
        throw new ServiceError('INVALID_REQUEST', `This request is for ${request.prepared.from}, not for ${account}.`)
      }
      const told = await possible(request, transactionHashes)
      // Ignore a report that has only unrelated hashes.
      if (transactionHashes.length > 0 && told.length === 0) return json(request)
      await change(id, (latest) => {
        const status = latest.status === 'pending' ? 'submitted' : latest.status
        const all = [...new Set([...latest.told, ...told])].slice(-8)
        return status !== latest.status || all.length !== latest.told.length ? { ...latest, status, told: all } : latest
      })
      look()
      return json(found(id))
    },
    async reject(id) {
      await change(id, (latest) => {
        if (latest.status === 'rejected') return latest
        if (latest.status === 'pending') return { ...latest, status: 'rejected' }
        throw new ServiceError('REQUEST_SETTLED', `The request is ${latest.status}: it can no longer be rejected.`)
      })
      return json(found(id))
    },
    openCount: () => [...store.all()].filter(({ status }) => !requestStatuses[status].settled).length,
  }

  /** Changes the latest version of a request. Tries again if the watcher or another gateway was faster. */
  async function change(id: string, decide: (latest: StoredRequest) => StoredRequest): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const latest = found(id)
      const changed = decide(latest)
      if (changed === latest || (await store.replace(latest, changed))) return
    }
    throw unavailable('BUSY', 'The request is being changed by others. Try again.')
  }

  /** Drops the hashes that the chain shows to be unrelated. */
  async function possible(request: StoredRequest, hashes: readonly Hex[]): Promise<readonly Hex[]> {
    const { id } = request
    const told = [...new Set(hashes)].slice(0, 8)
    const judged = await reconcileReportedTxs(
      { ...request, told },
      buildProof(request, places.markets),
      providers,
      (log) => (findRequestOfLog(store.all(), log)?.id ?? id) !== id,
    ).catch(() => null)
    return judged?.told ?? told
  }
}

/** Rejects calls that would revert, so nobody is asked to sign them. */
function refuseSureFailure({ simulation }: PreparedJson): void {
  if (simulation.status !== 'refused') return
  const { name, message, wayOut } = simulation.error
  throw new ServiceError('WOULD_REVERT', message, { hint: wayOut, reason: name })
}
