// The resources of the specification, field by field. Every value is written out here and imported from nowhere.
import { requestJson } from '@svc/operations'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readAnswerSchema, readParameters, readSchema } from './contract.ts'

const wei = { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,77})$' }
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }
const market = { type: 'string', enum: ['standard', 'micro'] }
const tier = { type: 'string', enum: expect.arrayContaining(['free', 'basic']) }
const integer = expect.objectContaining({ type: 'integer', minimum: 0 })
const number = expect.objectContaining({ type: 'number' })

describe('a task', () => {
  const { properties, required } = readSchema('Task')

  test('has an id with version, market and number', () => {
    expect(properties.id).toEqual({ type: 'string', pattern: '^v2:(?:standard|micro):[1-9][0-9]{0,77}$' })
  })
  test('has a market', () => expect(properties.market).toEqual(market))
  test('has the address of its registry', () => expect(properties.registryAddress).toEqual(address))
  test('is POSTED or ACTIVE, among other states', () => {
    expect(properties.state).toEqual({ type: 'string', enum: expect.arrayContaining(['POSTED', 'ACTIVE']) })
  })
  test('has its total amount in wei', () => expect(properties.totalAmountTokWei).toEqual(wei))
  test('has its funded amount in wei', () => expect(properties.fundedTokWei).toEqual(wei))
  test('has its released amount in wei', () => expect(properties.releasedTokWei).toEqual(wei))
  test('has the address of its worker, if it has one', () => {
    expect(properties.worker).toEqual(address)
    expect(required).not.toContain('worker')
  })
  test('has a settlement digest in hex, if it has a worker', () => {
    expect(properties.settlementDigest).toEqual({ type: 'string', pattern: '^0x[0-9a-f]{64}$' })
    expect(required).not.toContain('settlementDigest')
  })
  test('always has the fields of the open list', () => {
    const always = ['id', 'market', 'registryAddress', 'state', 'totalAmountTokWei', 'fundedTokWei', 'releasedTokWei']
    expect(required).toEqual(expect.arrayContaining(always))
  })
})

describe('meta of a list', () => {
  const { properties, required } = readSchema('ListMeta')

  test('has the protocol version v2', () => expect(properties.protocolVersion).toEqual({ type: 'string', const: 'v2' }))
  test('has the ticker of the service token', () => expect(properties.asset).toEqual({ type: 'string', const: 'TOK' }))
  test('has the market', () => expect(properties.market).toEqual(market))
  test('names the chain RPC as its source', () => {
    expect(properties.source).toEqual({ type: 'string', const: 'chain-rpc' })
  })
  test('always has all four', () => {
    expect(required).toEqual(expect.arrayContaining(['protocolVersion', 'asset', 'market', 'source']))
  })
})

test('the quota has tier, used, limit and canPost', () => {
  expect(readSchema('Quota')).toEqual({
    type: 'object',
    properties: { tier, used: integer, limit: integer, canPost: { type: 'boolean' } },
    required: ['tier', 'used', 'limit', 'canPost'],
  })
})

describe('the site config', () => {
  const { properties, required } = readAnswerSchema('GET /api/site-config')

  test('has the chain, the RPC URL and the market', () => {
    expect(properties).toMatchObject({
      chainId: integer,
      chainName: { type: 'string' },
      rpcUrl: { type: 'string' },
      market,
    })
    expect(required).toEqual(
      expect.arrayContaining(['chainId', 'chainName', 'rpcUrl', 'market', 'contracts', 'postingPlans']),
    )
  })
  test('has the addresses of eight contracts', () => {
    const names = ['tokToken', 'taskRegistry', 'depositVault', 'escrowVault', 'paymentGateway', 'stakingVault']
    const all = [...names, 'usdOracle', 'pricingPolicy']
    expect(properties.contracts).toMatchObject({ properties: Object.fromEntries(all.map((name) => [name, address])) })
    expect(properties.contracts?.required).toEqual(expect.arrayContaining(all))
  })
  test('has plans with an id and a daily limit', () => {
    const plan = { type: 'object', properties: { id: tier, dailyLimit: integer }, required: ['id', 'dailyLimit'] }
    expect(properties.postingPlans).toEqual({ type: 'array', items: plan })
  })
})

test('the price preview has six fields', () => {
  expect(readAnswerSchema('GET /api/posting/tok-preview')).toEqual({
    type: 'object',
    properties: {
      tier,
      listPriceUsdc: number,
      discountedUsd: number,
      tokUsdPrice: number,
      tokAmount: number,
      tokAllowed: { type: 'boolean' },
    },
    required: ['tier', 'listPriceUsdc', 'discountedUsd', 'tokUsdPrice', 'tokAmount', 'tokAllowed'],
  })
})

test('the Union overview has its source, the launch gate, the stake and the credits', () => {
  const { properties, required } = readAnswerSchema('GET /api/union/overview')
  const fields = {
    source: { type: 'string', const: 'chain-rpc' },
    stakingActive: { type: 'boolean' },
    totalStakedTok: wei,
    totalCreditsIssued: wei,
    creditsRemaining: wei,
    creditIssuanceClosed: { type: 'boolean' },
    rewardReserveTok: wei,
  }
  expect(properties).toMatchObject(fields)
  expect(required).toEqual(expect.arrayContaining(Object.keys(fields)))
})

test('the ledger has funded, locked, released and disputed amounts in wei, as buyer and as worker', () => {
  const { properties } = readAnswerSchema('GET /api/get-market-ledger')
  expect(properties.buyer).toMatchObject({
    properties: { fundedTokWei: wei, lockedTokWei: wei, releasedTokWei: wei, disputedTokWei: wei },
  })
  expect(properties.worker).toMatchObject({
    properties: { lockedTokWei: wei, releasedTokWei: wei, disputedTokWei: wei },
  })
})

test('a chat request has a system text and messages of role and content', () => {
  const { system, messages } = readParameters('POST /api/role-chat')
  expect(system).toMatchObject({ type: 'string' })
  expect(messages).toMatchObject({
    type: 'array',
    required: true,
    items: { properties: { role: { type: 'string' }, content: { type: 'string' } }, required: ['role', 'content'] },
  })
})

test('a chat response has a text and a model', () => {
  expect(readAnswerSchema('POST /api/role-chat')).toEqual({
    type: 'object',
    properties: { text: { type: 'string' }, model: { type: 'string' } },
    required: ['text', 'model'],
  })
})

test('a prepared request has an approval URL, a request id, and says whether it is settled', () => {
  const { properties, required } = z.toJSONSchema(requestJson)
  expect(properties).toMatchObject({
    approvalUrl: { type: 'string' },
    requestId: { type: 'string' },
    settled: { type: 'boolean' },
  })
  expect(required).toEqual(expect.arrayContaining(['approvalUrl', 'requestId', 'settled']))
})

test('an error has a text', () => {
  const { properties, required } = readSchema('Error')
  expect(properties.error).toEqual({ type: 'string' })
  expect(required).toContain('error')
})
