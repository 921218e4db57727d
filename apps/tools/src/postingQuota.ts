import { readPosts } from '@svc/chain'
import { createPostingQuotaClient } from '@svc/client/node'
import type { PreparedJson, RequestJson } from '@svc/operations'
import type { Hex } from 'viem'
import type { ToolsEnv } from './env.ts'
import type { Markets } from './market.ts'

/**
 * Adds the posting quota to a prepared post. Throws a `ServiceError` with code `QUOTA_REACHED` if the wallet has used all its
 * posts of today. Without the API, adds a warning instead. Returns other actions unchanged.
 */
export const checkPostingQuota = (prepared: PreparedJson, apiUrl: string | undefined): Promise<PreparedJson> =>
  createPostingQuotaClient(apiUrl).check(prepared)

/** How long a command stays for this after its request is confirmed. The index counts the post anyway. */
const maxRecordMs = 5_000

/** Records a post whose request is confirmed, so that it counts before the index has it. Never throws. */
export async function recordConfirmedPost(
  { action, market, status, transactionHashes }: RequestJson,
  { env, markets }: { env: Pick<ToolsEnv, 'SVC_API_URL'>; markets: Markets },
): Promise<void> {
  const txHash = transactionHashes.at(-1) as Hex | undefined
  if (status !== 'confirmed' || !txHash) return
  const { taskRegistry } = markets.deployments.markets[market]
  await createPostingQuotaClient(env.SVC_API_URL).record(
    action,
    () => readPosts(markets.providers, { market, taskRegistry, txHash }),
    AbortSignal.timeout(maxRecordMs),
  )
}
