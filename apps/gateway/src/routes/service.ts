import { chainOf, marketPlaces } from '@svc/chain'
import { feesJsonOf, type GatewayStatusJson } from '@svc/protocol/http'
import { type Call, defineCall, once } from '../call.ts'

/** GET /v1/fees: what using a market costs, and who signs receipts here. */
const fees = defineCall('get', '/v1/fees', async (c, { key }) => once(c, 200, feesJsonOf(key.did)))

/** GET /v1/status: the chain, the contracts, and how the gateway stands. */
const status = defineCall('get', '/v1/status', async (c, { places, head, baseUrl, key, requests, discovery, now }) => {
  await head.now().catch(() => null)
  const { block, stale } = head.last()
  const { markets } = marketPlaces(places)
  const body: GatewayStatusJson = {
    chainId: places.chainId,
    chainName: chainOf(places.chainId).name,
    head: block && { ...block, number: Number(block.number) },
    headAgeSeconds: block && Math.max(0, Math.round(now() / 1000 - block.timestamp)),
    stale,
    baseUrl,
    contracts: markets,
    receiptSigner: key.did,
    paidDiscovery: discovery && { url: `${baseUrl}${discovery.path}`, price: discovery.price },
    openRequests: requests.openCount(),
  }
  return once(c, 200, body)
})

/** GET /healthz: alive. */
const healthz = defineCall('get', '/healthz', async (c) => once(c, 200, { alive: true }))

/** What the gateway says of itself. */
export const serviceCalls: readonly Call[] = [fees, status, healthz]
