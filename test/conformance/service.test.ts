// How the API answers, over HTTP, with a reader and a quota that answer what each test needs. The same routes over a real
// chain and a real index are in test/api.
import type { MarketReader, TaskList } from '@svc/chain'
import { apiRoutes } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Posting } from '../../apps/api/src/posting/posting.ts'
import { type BareService, startBareService } from '../harness/bareService.ts'
import { fakeDeployments } from './fakeDeployments.ts'

const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const block = { number: 7n, hash: zeroHash, timestamp: 1_700_000_000 }

/** What the API asked for. */
const asked: {
  lists: [Market, TaskList, number][]
  quotas: [Market, string][]
  recorded: object[]
  upgraded: object[]
} = { lists: [], quotas: [], recorded: [], upgraded: [] }
let used = 0

const reader: Partial<MarketReader> = {
  head: async () => block,
  listAsText: async (market, list, { limit }) => {
    asked.lists.push([market, list, limit])
    return { text: '', marks: new Uint8Array(), next: null, validUntil: null, block }
  },
  getTask: async () => ({ detail: null, block }),
  getTaskSummary: async () => ({ detail: null, block }),
  getUnion: async () => ({
    union: {
      stakingActive: true,
      totalStaked: 1n,
      totalCreditsIssued: 2n,
      creditsRemaining: 3n,
      creditIssuanceClosed: false,
      rewardReserve: 4n,
    },
    block,
  }),
  getPlanQuote: async (_market, plan, payWith) => ({
    quote: {
      listPriceUsd: plan === 'basic' ? 9_000_000n : 49_000_000n,
      payUsd: payWith === 'tok' ? 7_200_000n : 9_000_000n,
      tokUsdPrice: 250_000n,
      amount: 2_880n * 10n ** 18n,
      tokAllowed: true,
    },
    block,
  }),
}

const posting: Posting = {
  quota: async (market, address) => {
    asked.quotas.push([market, address])
    return {
      quota: { tier: 'free', used, limit: 3, canPost: used < 3 },
      day: { now: 1_000, start: 0, end: 86_400 },
    }
  },
  record: async (post) => {
    asked.recorded.push(post)
    used++
  },
  upgrade: async (payment) => {
    asked.upgraded.push(payment)
    return { paidUntil: 2_000 }
  },
  allowance: async () => 0n,
}

const start = () => startBareService({ reader: reader as MarketReader, posting, deployments: fakeDeployments })
let service: BareService
beforeAll(async () => {
  service = await start()
})
afterAll(() => service?.close(100))
beforeEach(() => {
  used = 0
  for (const list of Object.values(asked)) list.length = 0
})

const send = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${service.url}${path}`, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
const post = (path: string, body: unknown, type = 'application/json') =>
  send(path, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) })

const gets = apiRoutes.filter(({ method }) => method === 'get').map(({ path }) => path)
const posts = apiRoutes.filter(({ method }) => method === 'post').map(({ path }) => path)

test('any origin may GET, without credentials, and none may POST', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  for (const path of gets) {
    const answer = await send(`${path}?address=${wallet}&id=v2:standard:1&ids=v2:standard:1&tier=basic`, { headers })
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials'), path).toBeNull()
  }
  for (const path of posts) {
    const answer = await send(path, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
    expect(answer.headers.get('access-control-allow-origin'), path).toBeNull()
  }
})

test('reads need no key and never answer 401', async () => {
  for (const path of gets) {
    for (const query of ['', `?address=${wallet}&tier=basic`]) {
      const { status } = await send(`${path}${query}`, { headers: { authorization: 'Bearer x' } })
      expect(status, path).not.toBe(401)
    }
  }
  for (const path of ['/api/market/open', '/api/market/recent', '/api/site-config', '/api/union/overview']) {
    expect((await send(path)).status, path).toBe(200)
  }
})

test('a market is standard unless it is given, and nothing but standard or micro', async () => {
  for (const [query, market] of [
    ['', 'standard'],
    ['&market=standard', 'standard'],
    ['&market=micro', 'micro'],
  ] as const) {
    asked.quotas.length = 0
    for (const path of ['/api/market/open', '/api/market/recent', '/api/union/overview']) {
      expect((await send(`${path}?${query.slice(1)}`)).body.meta.market, path).toBe(market)
    }
    expect((await send(`/api/poster/tasks?address=${wallet}${query}`)).body.meta.market).toBe(market)
    await send(`/api/posting/quota?address=${wallet}${query}`)
    expect(asked.quotas).toEqual([[market, wallet]])
    expect((await send(`/api/site-config?${query.slice(1)}`)).body.market).toBe(market)
  }
  for (const market of ['', 'Standard', 'big', 'standard,micro']) {
    const { status, body } = await send(`/api/market/open?market=${market}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'market must be standard or micro.' } })
  }
})

test('each list asks for its own tasks, at most 100 unless a limit is given', async () => {
  // Another service has cached nothing yet.
  const other = await start()
  const ask = (path: string) => fetch(`${other.url}${path}`)
  await ask('/api/market/open')
  await ask('/api/market/recent')
  await ask(`/api/poster/tasks?address=${wallet}`)
  await ask('/api/market/open?limit=1')
  await other.close(100)
  expect(asked.lists).toEqual([
    ['standard', { of: 'open' }, 100],
    ['standard', { of: 'recent' }, 100],
    ['standard', { of: 'poster', wallet }, 100],
    ['standard', { of: 'open' }, 1],
  ])
})

test('limit is a whole number from 1 to 100', async () => {
  for (const limit of ['1', '100']) expect((await send(`/api/market/open?limit=${limit}`)).status, limit).toBe(200)
  for (const limit of ['0', '101', '-1', '1.5', '1e2', ' 1', '', 'all', '٣', '0x10']) {
    const { status, body } = await send(`/api/market/open?limit=${encodeURIComponent(limit)}`)
    expect({ status, code: body.code }, limit).toEqual({ status: 400, code: 'INVALID_LIMIT' })
  }
})

test('meta has version, ticker, market and source', async () => {
  const { body } = await send('/api/market/open?market=micro')
  expect(body.meta).toMatchObject({ protocolVersion: 'v2', asset: 'TOK', market: 'micro', source: 'chain-rpc' })
})

test('the site config has the chain, the contracts of the market, and the plans', async () => {
  const { body } = await send('/api/site-config?market=micro')
  const { shared, markets } = fakeDeployments
  expect(body).toMatchObject({
    chainId: 8453,
    chainName: 'Base',
    rpcUrl: 'http://127.0.0.1:8545',
    market: 'micro',
    contracts: {
      tokToken: shared.tokToken,
      usdOracle: shared.usdOracle,
      pricingPolicy: shared.pricingPolicy,
      taskRegistry: markets.micro.taskRegistry,
      depositVault: markets.micro.depositVault,
      escrowVault: markets.micro.escrowVault,
      paymentGateway: markets.micro.paymentGateway,
      stakingVault: markets.micro.stakingVault,
    },
  })
  expect(body.postingPlans[0]).toEqual({ id: 'free', dailyLimit: 3 })
  expect((await send('/api/site-config')).body.contracts.taskRegistry).toBe(markets.standard.taskRegistry)
})

test('the Union overview is that of the market, and of no wallet', async () => {
  const { body } = await send('/api/union/overview')
  expect(body).toMatchObject({
    source: 'chain-rpc',
    stakingActive: true,
    totalStakedTok: '1',
    totalCreditsIssued: '2',
    creditsRemaining: '3',
    creditIssuanceClosed: false,
  })
  expect((await send(`/api/union/overview?address=${wallet}`)).status).toBe(400)
})

test('the price preview is that of the plan', async () => {
  expect((await send('/api/posting/tok-preview?tier=basic')).body).toEqual({
    tier: 'basic',
    listPriceUsdc: 9,
    discountedUsd: 7.2,
    tokUsdPrice: 0.0025,
    tokAmount: 2_880,
    tokAllowed: true,
  })
})

test('a quote is in the service token unless USDC is asked for', async () => {
  const { tokToken, usdc } = fakeDeployments.shared
  const quote = `/api/posting/quote?address=${wallet}&tier=basic`
  expect((await send(quote)).body).toMatchObject({ tier: 'basic', payWith: 'tok', asset: tokToken })
  expect((await send(`${quote}&payWith=usdc`)).body).toMatchObject({ payWith: 'usdc', asset: usdc })
  expect((await send(`${quote}&payWith=eth`)).status).toBe(400)
})

describe('a task', () => {
  test('that does not exist is 404, and the error says so', async () => {
    const { status, body } = await send('/api/market/task?id=v2:micro:9')
    expect({ status, body }).toMatchObject({ status: 404, body: { error: 'Task v2:micro:9 is not found.' } })
    expect((await send('/api/market/task?taskId=v2:micro:9')).status).toBe(404)
  })
  test('is asked for by a full id, with a market that matches it', async () => {
    for (const id of [
      '',
      '1',
      'micro:1',
      'v1:micro:1',
      'v2:big:1',
      'v2:micro:01',
      'v2:micro:0',
      'v2:micro:1 ',
      'V2:micro:1',
    ]) {
      const { status, body } = await send(`/api/market/task?id=${encodeURIComponent(id)}`)
      expect({ status, code: body.code }, id).toEqual({ status: 400, code: 'INVALID_TASK_ID' })
    }
    expect((await send('/api/market/task')).status).toBe(400)
    expect((await send('/api/market/task?id=v2:micro:9&market=standard')).body.code).toBe('INVALID_MARKET')
    expect((await send('/api/market/task?id=v2:micro:9&market=micro')).status).toBe(404)
  })
})

describe('the quota', () => {
  test('is 400 without a wallet address, and the error says so', async () => {
    const answers = await Promise.all([
      send('/api/posting/quota'),
      send('/api/posting/quote?tier=basic'),
      send('/api/get-market-ledger'),
      send('/api/poster/tasks'),
      ...['check', 'record', 'upgrade'].map((name) => post(`/api/posting/${name}`, {})),
    ])
    for (const { status, body } of answers) {
      expect({ status, error: body.error }).toEqual({
        status: 400,
        error: 'a wallet address is required: 0x and 40 hex digits.',
      })
    }
  })
  test('is that of a market and a wallet, whoever asks', async () => {
    const { body } = await send(`/api/posting/quota?address=${wallet.toLowerCase()}&market=micro`)
    expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true, market: 'micro', address: wallet })
    expect(asked.quotas).toEqual([['micro', wallet]])
  })
  test('is returned by check while posts are left', async () => {
    used = 2
    const { status, body } = await post('/api/posting/check', { address: wallet, market: 'micro' })
    expect({ status, body }).toMatchObject({ status: 200, body: { tier: 'free', used: 2, limit: 3, canPost: true } })
    expect(asked.quotas).toEqual([['micro', wallet]])
  })
  test('is 429 with the quota when the daily limit is reached', async () => {
    used = 3
    const { status, body } = await post('/api/posting/check', { address: wallet })
    expect(status).toBe(429)
    expect(body.error).toBe('The daily posting limit is reached: 3 of 3 posts used today on the free plan.')
    expect(body.quota).toEqual({ tier: 'free', used: 3, limit: 3, canPost: false })
  })
  test('grows by one with a recorded post', async () => {
    const given = { address: wallet, taskId: 'v2:micro:4', txHash: `0x${'ab'.repeat(32)}`, taskAmountTok: '25' }
    const { status, body } = await post('/api/posting/record', given)
    expect({ status, body }).toMatchObject({ status: 200, body: { quota: { used: 1 } } })
    const task = { market: 'micro', number: 4n }
    expect(asked.recorded).toEqual([{ address: wallet, task, txHash: given.txHash, amount: 25n }])
  })
  test('is upgraded by a verified payment', async () => {
    const given = { address: wallet, tier: 'basic', txHash: `0x${'ab'.repeat(32)}`, payWith: 'usdc', market: 'micro' }
    const { status, body } = await post('/api/posting/upgrade', given)
    expect({ status, body }).toMatchObject({ status: 200, body: { upgraded: true, tier: 'basic' } })
    expect(asked.upgraded).toEqual([given])
    expect((await post('/api/posting/upgrade', { ...given, payWith: 'eth' })).status).toBe(400)
  })
})

test('the chat without a key is 503, and the error names the variable', async () => {
  const { status, body } = await post('/api/role-chat', { messages: [{ role: 'user', content: 'What is a task?' }] })
  expect({ status, body }).toMatchObject({ status: 503, body: { error: 'LLM_GATEWAY_API_KEY is not configured' } })
})

test('a POST takes JSON with its content type', async () => {
  for (const path of posts.filter((each) => each !== '/api/role-chat')) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect((await post(path, { address: wallet }, type)).status, `${path} ${type}`).toBe(415)
    }
    const { status } = await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })
    expect(status, path).toBe(400)
  }
})

test('the contract is served as YAML at /openapi.yaml', async () => {
  const { status, body } = await send('/openapi.yaml')
  expect(status).toBe(200)
  const { openapi, paths } = parse(body)
  expect(openapi).toMatch(/^3\.1\./)
  expect(Object.keys(paths)).toEqual(apiRoutes.map(({ path }) => path))
})
