import { setTimeout as sleep } from 'node:timers/promises'
import { getMinedTransaction, listPosts, type PostedTask, type Providers } from '@svc/chain'
import { errorJson, type PreparedJson, type QuotaJson, quotaJson, ServiceError } from '@svc/operations'
import {
  describeQuotaRefusal,
  describeUncheckedQuota,
  isCountedPost,
  type Market,
  type PostingQuota,
} from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { readBoundedJson } from './readBoundedJson.ts'

/** Creates the error for a wallet that has used all its posts of today. */
export function createQuotaError(
  quota: PostingQuota,
  whose: { market: Market; wallet: string; plansUrl?: string | undefined; retryAfter?: number | undefined },
): ServiceError {
  const { plansUrl, retryAfter } = whose
  const { error, hint } = describeQuotaRefusal(quota, whose)
  return new ServiceError('QUOTA_REACHED', error, {
    hint,
    quota,
    ...(plansUrl && { plansUrl }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** The posting quota, for a service that has none of its own and asks the API. */
export interface PostingQuotaClient {
  /**
   * Adds the quota to a prepared post. Throws `QUOTA_REACHED` if the limit is reached. If the API cannot be asked, adds a warning
   * instead. Returns other actions unchanged.
   */
  check: (prepared: PreparedJson) => Promise<PreparedJson>
  /**
   * Records a post that is on the chain, so that it counts before the index has it. Best effort: returns whether it was recorded,
   * and never throws.
   */
  record: (post: PostedTask, signal?: AbortSignal) => Promise<boolean>
}

/** How long a person or a program waits for the quota. */
const checkTimeoutMs = 2_000
const recordTimeoutMs = 5_000
/** The index counts the post anyway, within seconds. */
const maxRecordTries = 5

/** Creates a client of the API's posting quota. Without a URL, every check returns a warning and nothing is recorded. */
export function createPostingQuotaClient(apiUrl: string | undefined): PostingQuotaClient {
  const post = (path: string, body: object, signal: AbortSignal) =>
    fetch(`${apiUrl?.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })

  /** Returns the quota, or why it is not known. */
  async function readQuota(market: Market, address: string): Promise<{ quota: QuotaJson; plansUrl?: string } | string> {
    if (!apiUrl) return 'SVC_API_URL is not set'
    try {
      const response = await post('/api/posting/check', { address, market }, AbortSignal.timeout(checkTimeoutMs))
      const body = await readBoundedJson(response)
      const allowed = quotaJson.safeParse(body)
      if (response.ok && allowed.success) return { quota: allowed.data }
      const { data: refusal } = errorJson.safeParse(body)
      if (refusal?.quota) return { quota: refusal.quota, ...parsePlansUrl(refusal.plansUrl) }
      return `the API answered with status ${response.status}`
    } catch (error) {
      return (error as Error).name === 'TimeoutError'
        ? `the API did not answer within ${checkTimeoutMs / 1000} s`
        : 'the API cannot be reached'
    }
  }

  return {
    async check(prepared) {
      const { action, market, from } = prepared
      if (!isCountedPost(action)) return prepared
      const found = await readQuota(market, from)
      if (typeof found === 'string') return { ...prepared, warnings: [describeUncheckedQuota(found)] }
      const { quota, plansUrl } = found
      if (!quota.canPost) throw createQuotaError(quota, { market, wallet: from, plansUrl })
      return { ...prepared, quota }
    },
    async record(body, signal = new AbortController().signal) {
      for (let tries = 0; apiUrl && tries < maxRecordTries && !signal.aborted; tries++) {
        if (tries > 0) await sleep(1_000 * tries, undefined, { signal }).catch(() => {})
        const either = AbortSignal.any([signal, AbortSignal.timeout(recordTimeoutMs)])
        const response = await post('/api/posting/record', body, either).catch(() => null)
        await response?.body?.cancel().catch(() => {})
        if (response?.ok) return true
        // The API does not see the transaction yet, or is busy. Any other answer would be the same again.
        if (response && response.status !== 409 && response.status < 500) return false
      }
      return false
    },
  }
}

/** Records what a confirmed transaction posted. Best effort, like {@link PostingQuotaClient.record}; other actions record nothing. */
export async function recordPosts(
  quota: Pick<PostingQuotaClient, 'record'>,
  providers: Providers,
  { action, market, taskRegistry, txHash }: { action: string; market: Market; taskRegistry: Address; txHash: Hex },
  signal?: AbortSignal,
): Promise<void> {
  if (!isCountedPost(action)) return
  const mined = await getMinedTransaction(providers, txHash).catch(() => null)
  for (const post of listPosts(mined?.logs ?? [], market, taskRegistry)) await quota.record(post, signal)
}

/** The page of plans, if it is a link that a person can open. */
function parsePlansUrl(text: string | undefined): { plansUrl?: string } {
  const url = text && URL.canParse(text) ? new URL(text) : null
  return url && ['http:', 'https:'].includes(url.protocol) ? { plansUrl: url.href.slice(0, 500) } : {}
}
