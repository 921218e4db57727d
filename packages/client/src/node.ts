import { setTimeout as sleep } from 'node:timers/promises'
import {
  createQuotaError,
  errorJson,
  type InputJson,
  type PreparedJson,
  type QuotaJson,
  quotaJson,
} from '@svc/operations'
import type { Market } from '@svc/protocol'
import { describeUncheckedQuota, isCountedPost } from '@svc/protocol/internal/money'

// What only programs on Node use. It validates what it reads, so it brings the schemas with it.

/** The maximum size of a response. */
const maxBytes = 1_048_576

/** Reads the body of a response as JSON. Returns null if it is not JSON or too long. */
export async function readBoundedJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}

/** The posting quota, for a service that has none of its own and asks the API. */
export interface PostingQuotaClient {
  /**
   * Adds the quota to a prepared post. Throws `QUOTA_REACHED` if the limit is reached. If the API cannot be asked, adds a warning
   * instead. Returns other actions unchanged.
   */
  check: (prepared: PreparedJson) => Promise<PreparedJson>
  /**
   * Records what a confirmed action posted, so that it counts before the index has it. Best effort: never throws. Other actions
   * record nothing.
   */
  record: (action: string, readPosts: () => Promise<readonly Post[]>, signal: AbortSignal) => Promise<void>
}

type Post = InputJson<'recordPost'>

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
    async record(action, readPosts, signal) {
      if (!apiUrl || !isCountedPost(action)) return
      for (const each of await readPosts().catch(() => [])) await recordPost(each, signal)
    },
  }

  async function recordPost(body: Post, signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < maxRecordTries && !signal.aborted; tries++) {
      if (tries > 0) await sleep(1_000 * tries, undefined, { signal }).catch(() => {})
      const either = AbortSignal.any([signal, AbortSignal.timeout(recordTimeoutMs)])
      const response = await post('/api/posting/record', body, either).catch(() => null)
      await response?.body?.cancel().catch(() => {})
      // The API does not see the transaction yet, or is busy. Any other answer would be the same again.
      if (response && response.status !== 409 && response.status < 500) return
    }
  }
}

/** The page of plans, if it is a link that a person can open. */
function parsePlansUrl(text: string | undefined): { plansUrl?: string } {
  const url = text && URL.canParse(text) ? new URL(text) : null
  return url && ['http:', 'https:'].includes(url.protocol) ? { plansUrl: url.href.slice(0, 500) } : {}
}
