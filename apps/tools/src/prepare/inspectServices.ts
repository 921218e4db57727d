import { readBoundedJson } from '@svc/client/node'
import { walletQuotaJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import type { Address } from 'viem'
import { createFinding, type Finding } from './finding.ts'
import { createGatewayClient, startGatewayHint } from './gatewayClient.ts'

/** Checks how much of today's posting quota is left, if the API is configured. */
export async function inspectQuota(
  api: string | undefined,
  market: Market,
  wallet: Address | null,
): Promise<Finding[]> {
  if (!wallet) return []
  if (!api) return [createFinding('Quota', 'warn', 'not checked', 'Set SVC_API_URL to check it.')]
  try {
    const url = `${api.replace(/\/+$/, '')}/api/posting/quota?market=${market}&address=${wallet}`
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    const { tier, used, limit, canPost } = walletQuotaJson.parse(await readBoundedJson(response))
    return [
      createFinding(
        'Quota',
        canPost ? 'ok' : 'warn',
        `${formatQuotaUse({ used, limit })}, plan ${tier}`,
        'Wait until midnight UTC, or run svc-prepare buy-plan.',
      ),
    ]
  } catch {
    return [createFinding('Quota', 'warn', 'the API does not respond', 'Check SVC_API_URL.')]
  }
}

/** Checks whether a gateway is running. */
export async function inspectGateway(url: string): Promise<Finding[]> {
  const gateway = createGatewayClient(url)
  try {
    await gateway.ping()
    return [createFinding('Gateway', 'ok', `running at ${gateway.url}`)]
  } catch (error) {
    return [createFinding('Gateway', 'warn', (error as Error).message, startGatewayHint)]
  }
}
