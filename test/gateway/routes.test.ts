import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accounts, createScene, type Devnet, readBalances } from '@svc/devnet'
import {
  feesJson,
  gatewayErrorJson,
  gatewayRoutes,
  gatewayStatusJson,
  listMetaJson,
  metaJson,
  paymentRequiredJson,
  receiptAnswerJson,
  reputationJson,
  requestJson,
  taskDetailJson,
  taskJson,
  treasuryJson,
  verifiersJson,
} from '@svc/operations'
import { type Market, markets } from '@svc/protocol'
import { reputationFormula } from '@svc/protocol/internal/people'
import { computeReputationScore } from '@svc/protocol/records'
import { buildExampleRequest, formatOpenapi } from '@svc/serve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listGatewayExamples } from '../../apps/gateway/src/contract/examples.ts'
import { gatewayOpenapi } from '../../apps/gateway/src/contract/openapi.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { startTestGateway, type TestGateway } from '../harness/gateway.ts'

let devnet: Devnet
let wire: CuttableRpc
let gateway: TestGateway
const ends: (() => unknown)[] = []
beforeAll(async () => {
  devnet = (await startDemoWorld()).devnet
  ends.push(() => devnet.stop())
  wire = await startCuttableRpc(devnet.rpcUrl)
  ends.push(() => wire.stop())
  gateway = await startTestGateway({ ...devnet, rpcUrl: wire.url }, { assets: new Map([['/a.js', asset]]) })
  ends.unshift(() => gateway.stop())
})
afterAll(async () => {
  for (const end of ends) await end()
})

const document = gatewayOpenapi()
const asset = { type: 'text/javascript; charset=utf-8', bytes: new TextEncoder().encode('export {}') }

const lists = z.object({ tasks: z.array(taskJson), meta: listMetaJson })

/** Every GET route of a market, with the schema of its answer. */
const reads: readonly (readonly [path: string, schema: z.core.$ZodType])[] = [
  ['/v1/market/open', lists],
  ['/v1/market/recent', lists],
  ['/v1/leaderboard/reputation', reputationJson],
  ['/v1/leaderboard/verifiers', verifiersJson],
  ['/v1/treasury', treasuryJson],
]

const get = async (path: string, schema: z.core.$ZodType) => {
  const response = await gateway.fetch(path)
  expect(response.status, path).toBe(200)
  const body = await response.json()
  expect(z.safeParse(schema, body).error?.issues ?? [], path).toEqual([])
  // biome-ignore lint/suspicious/noExplicitAny: the schema has judged it already
  return { body: body as any, headers: response.headers }
}

describe.each(markets)('reads of %s', (market: Market) => {
  test.each(reads)('%s is of its schema, at one block that it names', async (path, schema) => {
    const { body, headers } = await get(`${path}?market=${market}&limit=5`, schema)
    expect(body.meta).toMatchObject({ market, source: 'chain-rpc', protocolVersion: 'v2' })
    expect(headers.get('x-block-number')).toBe(String(body.meta.block.number))
    const again = await gateway.fetch(`${path}?market=${market}&limit=5`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('tasks: only claimable ones are open, pages have no gaps, and each task can be shown', async () => {
    const { body: whole } = await get(`/v1/market/recent?market=${market}`, lists)
    const paged: unknown[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get(`/v1/market/recent?market=${market}&limit=7${cursor}`, lists)
      paged.push(...body.tasks)
      if (body.meta.nextCursor === null) break
      cursor = `&cursor=${body.meta.nextCursor}`
    }
    expect(paged).toEqual(whole.tasks)
    const { body: open } = await get(`/v1/market/open?market=${market}`, lists)
    const isOpen = ({ claimableUntil }: z.infer<typeof taskJson>) => claimableUntil !== null
    expect(open.tasks).toEqual(whole.tasks.filter(isOpen))
    expect(open.tasks.length).toBeGreaterThan(0)
    const detail = z.object({ task: taskDetailJson, meta: metaJson })
    const { body: one } = await get(`/v1/tasks/${encodeURIComponent(open.tasks[0].id)}`, detail)
    expect(one.task).toMatchObject(open.tasks[0])
    const { body: same } = await get(`/v1/tasks/${open.tasks[0].id}?market=${market}`, detail)
    expect(same).toEqual(one)
  })

  test('leaderboards: scores follow the published formula, best first; bonds largest first', async () => {
    const { body } = await get(`/v1/leaderboard/reputation?market=${market}`, reputationJson)
    expect(body.formula).toBe(reputationFormula)
    const scores: number[] = body.agents.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(body.agents.map(computeReputationScore))
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const { body: bonds } = await get(`/v1/leaderboard/verifiers?market=${market}`, verifiersJson)
    const amounts: bigint[] = bonds.verifiers.map(({ bondTokWei }: { bondTokWei: string }) => BigInt(bondTokWei))
    expect(amounts.length).toBeGreaterThan(0)
    expect(amounts).toEqual(amounts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
  })

  test('treasury: every deposit of the vault belongs to a wallet, and every held amount to a task', async () => {
    const { body } = await get(`/v1/treasury?market=${market}`, treasuryJson)
    const sum = (amounts: string[]) => String(amounts.reduce((all, each) => all + BigInt(each), 0n))
    expect(sum(body.agents.map(({ depositUsdc }: { depositUsdc: string }) => depositUsdc))).toBe(body.totalDepositsUsdc)
    expect(sum(body.escrow.tasks.map(({ heldTokWei }: { heldTokWei: string }) => heldTokWei))).toBe(
      body.escrow.heldTokWei,
    )
    const scene = createScene(devnet.client, devnet.deployments, market)
    const { deposit } = await readBalances(scene, accounts.emeka.address)
    expect(body.agents).toContainEqual(
      expect.objectContaining({ address: accounts.emeka.address, depositUsdc: String(deposit) }),
    )
  })
})

test('fees and status match their schemas, and name the receipt signer', async () => {
  const { body: fees } = await get('/v1/fees', feesJson)
  expect(fees).toMatchObject({
    accessFeeTokWei: '1000000000000000000000',
    entryDepositUsdc: '25000000',
    recommendedDepositUsdc: '45000000',
    pauseThresholdUsdc: '8000000',
    receiptSigner: expect.stringMatching(/^did:pkh:eip155:8453:0x[0-9a-fA-F]{40}$/),
  })
  const { body: status } = await get('/v1/status', gatewayStatusJson)
  expect(status).toMatchObject({ chainId: 8453, baseUrl: gateway.url, receiptSigner: fees.receiptSigner, stale: false })
  expect(status.paidDiscovery).toBeNull()
  expect((await gateway.fetch('/v1/discovery/open')).status).toBe(404)
})

test('openapi.yaml is served, and every example in it gets a documented response', async () => {
  const served = await gateway.fetch('/openapi.yaml')
  expect(served.headers.get('content-type')).toBe('application/yaml')
  expect(await served.text()).toBe(await formatOpenapi(document))
  for (const route of gatewayRoutes) {
    const { method, path, operation } = route
    const documented = Object.keys(document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method]?.responses ?? {})
    for (const example of listGatewayExamples(route)) {
      const { url, body } = buildExampleRequest(route, example)
      const response = await (method === 'get' ? gateway.fetch(url) : gateway.post(url, body && JSON.parse(body)))
      expect(documented, url).toContain(String(response.status))
      expect(response.status, url).not.toBe(400)
      const schema = response.ok ? operation.output : (operation.errorBodies?.[response.status] ?? gatewayErrorJson)
      expect(z.safeParse(schema, await response.json()).error?.issues ?? [], url).toEqual([])
    }
  }
})

test('a receipt, its claim and its request match their schemas', async () => {
  const { body } = await get('/v1/market/open', lists)
  const { id } = body.tasks.find(({ claimPolicy }: { claimPolicy: string }) => claimPolicy === 'ANYONE')
  const refused = await gateway.post(`/v1/tasks/${id}/claim`)
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([402, 'no-store'])
  paymentRequiredJson.parse(await refused.json())
  const answer = await gateway.post('/v1/payment-receipt', { taskId: id, address: accounts.ivo.address })
  expect(answer.status).toBe(200)
  const { header } = receiptAnswerJson.parse(await answer.json())
  const granted = await gateway.post(`/v1/tasks/${encodeURIComponent(id)}/claim`, undefined, {
    [header.name]: header.value,
  })
  const request = requestJson.parse(await granted.json())
  expect(request.approvalUrl).toBe(`${gateway.url}/approve/${request.requestId}`)
  const shown = await gateway.fetch(new URL(request.statusUrl).pathname)
  expect([shown.headers.get('cache-control'), shown.headers.get('retry-after')]).toEqual(['no-store', '2'])
  expect(requestJson.parse(await shown.json())).toEqual(request)
})

const from = accounts.ivo.address

test.each<[status: number, code: string, path: string, init?: RequestInit | object]>([
  [400, 'INVALID_MARKET', '/v1/market/open?market=large'],
  [400, 'INVALID_LIMIT', '/v1/market/recent?limit=101'],
  [400, 'INVALID_CURSOR', '/v1/market/recent?cursor=zz'],
  [400, 'INVALID_REQUEST', '/v1/market/open?market=micro&market=standard'],
  [400, 'INVALID_REQUEST', '/v1/market/open?q=birds'],
  [400, 'INVALID_REQUEST', '/v1/fees?market=micro'],
  [400, 'INVALID_REQUEST', '/v1/tasks/v2:micro:1?id=v2:micro:2'],
  [400, 'INVALID_TASK_ID', '/v1/tasks/7'],
  [400, 'INVALID_MARKET', '/v1/tasks/v2:micro:7?market=standard'],
  [404, 'TASK_NOT_FOUND', '/v1/tasks/v2:micro:99999'],
  [404, 'NOT_FOUND', '/v1/nothing'],
  [404, 'NOT_FOUND', '/../package.json'],
  [404, 'NOT_FOUND', '/%2e%2e/package.json'],
  [404, 'REQUEST_NOT_FOUND', '/v1/requests/req_0123456789012345678901'],
  [404, 'REQUEST_NOT_FOUND', '/v1/requests/..%2f'],
  [400, 'INVALID_REQUEST', '/v1/requests/req_0123456789012345678901?wait=26'],
  [405, 'METHOD_NOT_ALLOWED', '/v1/fees', { method: 'POST' }],
  [405, 'METHOD_NOT_ALLOWED', '/v1/payment-receipt', { method: 'GET' }],
  [405, 'METHOD_NOT_ALLOWED', '/v1/tasks/v2:standard:1/claim', { method: 'GET' }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', '/v1/requests', { method: 'POST', body: '{}' }],
  [400, 'INVALID_TASK_ID', '/v1/tasks/7/claim', { method: 'POST' }],
  [400, 'INVALID_TASK_ID', '/v1/payment-receipt', { taskId: '7', address: from }],
  [400, 'INVALID_ADDRESS', '/v1/payment-receipt', { taskId: 'v2:standard:1' }],
  [404, 'TASK_NOT_FOUND', '/v1/payment-receipt', { taskId: 'v2:standard:99999', address: from }],
  [400, 'INVALID_REQUEST', '/v1/requests', { action: 'read', input: {}, from }],
  [400, 'INVALID_REQUEST', '/v1/requests', { action: 'top-up', input: { market: 'micro', amountUsdc: 'ten' }, from }],
  [400, 'INVALID_REQUEST', '/v1/requests', { action: 'top-up', input: [], from }],
  [400, 'INVALID_TASK_ID', '/v1/requests', { action: 'cancel-task', input: {}, from }],
  [404, 'TASK_NOT_FOUND', '/v1/requests', { action: 'cancel-task', input: { taskId: 'v2:micro:99999' }, from }],
  [422, 'WOULD_REVERT', '/v1/requests', { action: 'cancel-task', input: { taskId: 'v2:standard:34' }, from }],
  [400, 'INVALID_REQUEST', '/v1/requests', { action: 'top-up', input: {}, from: 'me' }],
  [413, 'BODY_TOO_LARGE', '/v1/requests', { action: 'x'.repeat(70_000), input: {}, from }],
])('%i %s for %s', async (status, code, path, init = {}) => {
  const isInit = 'method' in init || Object.keys(init).length === 0
  const response = await (isInit ? gateway.fetch(path, init as RequestInit) : gateway.post(path, init))
  expect([response.status, gatewayErrorJson.parse(await response.json())]).toMatchObject([status, { code }])
})

/** Sends a request with any Host header, which fetch does not allow. */
function knock(headers: Record<string, string>, method = 'GET', path = '/v1/fees'): Promise<number> {
  return new Promise((done, fail) => {
    const call = httpRequest({ host: '127.0.0.1', port: gateway.port, path, method, headers }, (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    call.on('error', fail).end()
  })
}

describe('other hosts and origins', () => {
  const host = () => `127.0.0.1:${gateway.port}`

  test('a foreign Host is refused, on every path and method', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      expect(await knock({ host: `${name}:${gateway.port}` }), name).toBe(200)
    }
    const foreign = [
      'evil.example',
      `evil.example:${gateway.port}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${gateway.port}`,
    ]
    for (const name of [...foreign, `127.0.0.1:${gateway.port + 1}`, '169.254.169.254']) {
      for (const path of ['/', '/v1/fees', '/a.js', '/nothing', '/healthz']) {
        expect(await knock({ host: name }, 'GET', path), `${name}${path}`).toBe(421)
      }
      expect(await knock({ host: name }, 'POST', '/v1/tasks/v2:standard:1/claim'), name).toBe(421)
    }
  })

  test.each([
    ['https://evil.example', undefined, 403],
    ['null', undefined, 403],
    ['http://127.0.0.1:1', 'same-site', 403],
    [undefined, 'cross-site', 403],
    [undefined, 'same-site', 403],
    ['own', 'same-origin', 402],
    [undefined, 'none', 402],
    [undefined, undefined, 402],
  ])('a post with Origin %s and Sec-Fetch-Site %s: %i', async (origin, site, status) => {
    const given = origin === 'own' ? gateway.url : origin
    const headers = { host: host(), ...(given && { origin: given }), ...(site && { 'sec-fetch-site': site }) }
    expect(await knock(headers, 'POST', '/v1/tasks/v2:standard:1/claim')).toBe(status)
  })

  test('pages of other origins may read markets and nothing else; posts have no CORS', async () => {
    const allowed = async (path: string, init?: RequestInit) =>
      (await gateway.fetch(path, init)).headers.get('access-control-allow-origin')
    expect(await allowed('/v1/market/open')).toBe('*')
    expect(await allowed('/v1/requests/req_0123456789012345678901', { method: 'POST' })).toBeNull()
    expect(await allowed('/v1/payment-receipt', { method: 'OPTIONS' })).toBeNull()
    expect(await allowed('/v1/tasks/v2:standard:1/claim', { method: 'POST' })).toBeNull()
  })

  test('pages load nothing from other origins, cannot be framed, and send no form but a search', async () => {
    const actions = {
      '/': 'self',
      '/market.html': 'self',
      '/leaderboard.html': 'none',
      '/treasury-dashboard.html': 'none',
    }
    for (const [path, action] of Object.entries(actions)) {
      const { status, headers } = await gateway.fetch(path)
      expect([status, headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy'), path).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action '${action}'; frame-ancestors 'none'`,
      )
    }
    const script = await gateway.fetch('/a.js')
    expect([script.headers.get('content-type'), script.headers.get('x-content-type-options')]).toEqual([
      asset.type,
      'nosniff',
    ])
  })
})

test('a page costs a handful of RPC calls, no matter how often it is opened', async () => {
  await get('/v1/market/open?limit=9', lists)
  const before = wire.calls
  await Promise.all(Array.from({ length: 50 }, () => get('/v1/market/open?limit=9', lists)))
  // The watcher of open requests calls the chain meanwhile.
  expect(wire.calls - before).toBeLessThan(25)
})

test('without the chain the last good answers are served and say so, and what needs it is 503', async () => {
  const { body: before } = await get('/v1/market/open', lists)
  wire.isCut = true
  try {
    await expect.poll(async () => (await get('/v1/market/open', lists)).body.meta.stale).toBe(true)
    const { body: after, headers } = await get('/v1/market/open', lists)
    expect(after.tasks).toEqual(before.tasks)
    expect(after.meta.block).toEqual(before.meta.block)
    expect(headers.get('warning')).toBe('110 - "Response is Stale"')
    for (const response of [
      await gateway.fetch('/v1/market/open?limit=3'),
      await gateway.post('/v1/payment-receipt', { taskId: 'v2:standard:34', address: from }),
      await gateway.post('/v1/requests', { action: 'top-up', input: { market: 'micro', amountUsdc: '1' }, from }),
    ]) {
      expect(response.status, response.url).toBe(503)
      expect(gatewayErrorJson.parse(await response.json()).code).toBe('CHAIN_UNREACHABLE')
      expect(response.headers.get('retry-after')).not.toBeNull()
    }
    expect((await get('/v1/status', gatewayStatusJson)).body.stale).toBe(true)
  } finally {
    wire.isCut = false
  }
  expect((await get('/v1/market/open?limit=4', lists)).body.meta.stale).toBeUndefined()
})

/** An RPC proxy that counts calls and can be cut. */
interface CuttableRpc {
  url: string
  isCut: boolean
  calls: number
  stop: () => void
}

/** Starts a proxy in front of an RPC URL. */
async function startCuttableRpc(target: string): Promise<CuttableRpc> {
  const server = createServer(async (request, response) => {
    rpc.calls++
    if (rpc.isCut) return void response.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', body: Buffer.concat(chunks), headers })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rpc: CuttableRpc = { url, isCut: false, calls: 0, stop: () => void server.close() }
  return rpc
}
