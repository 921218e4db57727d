// How the gateway answers without a chain. With one: test/gateway.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import { createLog } from '@svc/serve'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGateway, type Gateway } from '../../apps/gateway/src/gateway.ts'
import { fakeDeployments } from './fakeDeployments.ts'

const baseUrl = 'http://127.0.0.1:4020'
let folder: string
let gateway: Gateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  gateway = await createGateway({
    providers: createProviders([createRpc({ name: 'nobody', url: 'http://127.0.0.1:1' })], createViemChain(8453)),
    deployments: fakeDeployments,
    baseUrl,
    port: 4020,
    stateFile: join(folder, 'requests.sqlite'),
    assets: new Map(),
    log: createLog({ level: 'silent', secrets: [], to: { write: () => {} } }),
    perMinute: { reads: 1_000, calls: 1_000 },
  })
})
afterAll(async () => {
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

const send = async (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  gateway.fetch(new Request(`${baseUrl}${path}`, { ...init, headers: { host: '127.0.0.1:4020', ...init.headers } }))

test('there are four pages', async () => {
  for (const path of ['/', '/market.html', '/leaderboard.html', '/treasury-dashboard.html']) {
    const response = await send(path)
    // The chain is away, but the page is there.
    expect(response.status, path).toBe(503)
    expect(response.headers.get('content-type'), path).toBe('text/html; charset=utf-8')
  }
  expect((await send('/nothing.html')).status).toBe(404)
})

test('a claim without a receipt is 402, and says where to get one', async () => {
  for (const headers of [{}, { 'PAYMENT-RECEIPT': 'garbage' }, { 'X-PAYMENT-RECEIPT': 'garbage' }]) {
    const response = await send('/v1/tasks/v2:micro:1/claim', { method: 'POST', headers })
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining('receipt'),
      receiptUrl: `${baseUrl}/v1/payment-receipt`,
    })
    expect(response.headers.get('payment-required')).not.toBeNull()
  }
})

test('the fees are served as constants', async () => {
  const response = await send('/v1/fees')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    accessFeeTokWei: '1000000000000000000000',
    entryDepositUsdc: '25000000',
    recommendedDepositUsdc: '45000000',
    pauseThresholdUsdc: '8000000',
    freePostsPerDay: 3,
  })
})
