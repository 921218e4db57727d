// The endpoints of the specification and what each takes. Every value is written out here and imported from nowhere.

import { gatewayRoutes, notifyRoutes, paidRoutes, type Route, storeRoutes } from '@svc/operations'
import { describe, expect, test } from 'vitest'
import { contract, readAnswerSchema, readOperation, readParameters } from './contract.ts'

const market = { type: 'string', enum: ['standard', 'micro'], default: 'standard', required: false }
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$', required: true }
const txHash = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$', required: true }
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 100, required: false }
const tier = { type: 'string', enum: expect.arrayContaining(['free', 'basic']), required: true }

const endpoints = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

test('the contract is OpenAPI 3.1', () => expect(contract.openapi).toMatch(/^3\.1\.\d+$/))

test('the contract asks for no key', () => {
  expect(contract.security).toEqual([])
  expect(JSON.stringify(contract)).not.toContain('securitySchemes')
})

const specified = [
  'GET /api/market/open',
  'GET /api/market/recent',
  'GET /api/market/task',
  'GET /api/poster/tasks',
  'GET /api/get-market-ledger',
  'GET /api/site-config',
  'GET /api/union/overview',
  'GET /api/posting/quota',
  'POST /api/posting/check',
  'POST /api/posting/record',
  'GET /api/posting/quote',
  'GET /api/posting/tok-preview',
  'POST /api/posting/upgrade',
  'POST /api/role-chat',
]

test('the API has the fourteen endpoints of the specification', () => {
  expect(endpoints.filter((each) => readOperation(each)['x-specification'])).toEqual(specified)
})

test('nothing but the quota and the chat is changed by a POST', () => {
  expect(endpoints.filter((each) => !each.startsWith('GET '))).toEqual([
    'POST /api/posting/check',
    'POST /api/posting/record',
    'POST /api/posting/upgrade',
    'POST /api/role-chat',
    // Preparing is a read with an input that is too large for a URL: it sends nothing.
    'POST /api/actions/prepare',
  ])
})

test('market is standard unless given, on every route that takes it without a task id', () => {
  const taking = endpoints.filter((each) => 'market' in readParameters(each))
  // All of them but the chat.
  expect(taking).toEqual(expect.arrayContaining(specified.filter((each) => each !== 'POST /api/role-chat')))
  for (const each of taking) {
    const { market: found, id, taskId } = readParameters(each)
    if (id || taskId) expect(found, each).toEqual({ type: 'string', enum: ['standard', 'micro'], required: false })
    else expect(found, each).toEqual(market)
  }
})

describe('takes', () => {
  test('GET /api/market/open: limit 1 to 100, default 100, and market', () => {
    expect(readParameters('GET /api/market/open')).toMatchObject({ limit, market })
  })
  test('GET /api/market/recent: market and limit', () => {
    expect(readParameters('GET /api/market/recent')).toMatchObject({ limit, market })
  })
  test('GET /api/market/task: id or taskId, and market', () => {
    const text = { type: 'string', required: false }
    expect(readParameters('GET /api/market/task')).toMatchObject({
      id: text,
      taskId: text,
      market: { required: false },
    })
  })
  test('GET /api/poster/tasks: address and market', () => {
    expect(readParameters('GET /api/poster/tasks')).toMatchObject({ address, market })
  })
  test('GET /api/get-market-ledger: address and market', () => {
    expect(readParameters('GET /api/get-market-ledger')).toMatchObject({ address, market })
  })
  test('GET /api/site-config: market', () => expect(readParameters('GET /api/site-config')).toEqual({ market }))
  test('GET /api/union/overview: market', () => {
    expect(readParameters('GET /api/union/overview')).toMatchObject({ market })
  })
  test('GET /api/posting/quota: address and market', () => {
    expect(readParameters('GET /api/posting/quota')).toEqual({ address, market })
  })
  test('POST /api/posting/check: address and market', () => {
    expect(readParameters('POST /api/posting/check')).toEqual({ address, market })
  })
  test('POST /api/posting/record: the wallet, the task, the transaction and the amount', () => {
    expect(readParameters('POST /api/posting/record')).toEqual({
      address,
      taskId: expect.objectContaining({ type: 'string', required: true }),
      txHash,
      taskAmountTok: { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,77})$', required: true },
      market: { type: 'string', enum: ['standard', 'micro'], required: false },
    })
  })
  test('GET /api/posting/quote: the wallet, the plan, the token and the market', () => {
    const payWith = { type: 'string', enum: ['tok', 'usdc'], default: 'tok', required: false }
    expect(readParameters('GET /api/posting/quote')).toEqual({ address, tier, payWith, market })
  })
  test('GET /api/posting/tok-preview: the plan and the market', () => {
    expect(readParameters('GET /api/posting/tok-preview')).toEqual({ tier, market })
  })
  test('POST /api/posting/upgrade: the wallet, the plan, the transaction, the token and the market', () => {
    const payWith = { type: 'string', enum: ['tok', 'usdc'], required: true }
    expect(readParameters('POST /api/posting/upgrade')).toEqual({ address, tier, txHash, payWith, market })
  })
})

test('the lists answer with tasks and meta', () => {
  for (const each of ['GET /api/market/open', 'GET /api/market/recent', 'GET /api/poster/tasks']) {
    const { properties, required } = readAnswerSchema(each)
    expect(Object.keys(properties), each).toEqual(['tasks', 'meta'])
    expect(required, each).toEqual(['tasks', 'meta'])
  }
})

/** The routes that are marked as those of the specification. */
const listSpecified = (routes: readonly Route[]) =>
  routes.filter(({ isSpecified }) => isSpecified).map(({ method, path }) => `${method.toUpperCase()} ${path}`)

test('the gateway has the eight routes of the specification', () => {
  expect(listSpecified(gatewayRoutes)).toEqual([
    'GET /v1/market/open',
    'GET /v1/market/recent',
    'GET /v1/tasks/:id',
    'GET /v1/leaderboard/reputation',
    'GET /v1/leaderboard/verifiers',
    'GET /v1/fees',
    'POST /v1/payment-receipt',
    'POST /v1/tasks/:id/claim',
  ])
})

test('everything of the store, the notifier and paid discovery is marked as ours', () => {
  expect(listSpecified([...storeRoutes, ...notifyRoutes, ...paidRoutes])).toEqual([])
})
