import type { Market } from '@svc/protocol'
import { walletQuotaJson } from '@svc/protocol/http'
import type { Address } from 'viem'
import { type Finding, found } from './finding.ts'
import { createGateway, howToStart } from './gateway.ts'
import { readBody } from './readBody.ts'

/** How much of the day's posting quota is left, where the API is known. */
export async function quotaFindings(
  api: string | undefined,
  market: Market,
  wallet: Address | null,
): Promise<Finding[]> {
  if (!wallet) return []
  if (!api) return [found('Quota', 'warn', 'not looked at', 'Set SVC_API_URL to be told.')]
  try {
    const url = `${api.replace(/\/+$/, '')}/api/posting/quota?market=${market}&address=${wallet}`
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    const { tier, used, limit, canPost } = walletQuotaJson.parse(await readBody(response))
    return [
      found(
        'Quota',
        canPost ? 'ok' : 'warn',
        `${used} of ${limit} posts today, plan ${tier}`,
        'Wait until midnight UTC, or buy-plan.',
      ),
    ]
  } catch {
    return [found('Quota', 'warn', 'the API does not answer', 'Check SVC_API_URL.')]
  }
}

/** Whether there is a gateway to approve at. */
export async function gatewayFindings(url: string): Promise<Finding[]> {
  const gateway = createGateway(url)
  try {
    await gateway.ping()
    return [found('Gateway', 'ok', `answers at ${gateway.url}`)]
  } catch (error) {
    return [found('Gateway', 'warn', (error as Error).message, howToStart)]
  }
}
