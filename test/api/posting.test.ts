import {
  accounts,
  advanceTime,
  createScene,
  executeAsOwner,
  multicall3,
  refreshPrice,
  type Scene,
  sendCall,
  sendTransaction,
} from '@svc/devnet'
import { apiRoutes } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { paymentGatewayAbi, pricingPolicyAbi } from '@svc/protocol/abis'
import { encodePlanId } from '@svc/protocol/internal/money'
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  fillWithPosters,
  fundPoster,
  payForPlan,
  posters,
  postTask,
  postTwoTasks,
  readLastTransaction,
  sendTogether,
} from '../harness/posters.ts'
import { buildPostInput } from '../harness/postInput.ts'
import { type ServedWorld, startServedWorld } from '../harness/served.ts'

let served: ServedWorld
let world: ServedWorld['world']
let service: ServedWorld['service']
let standard: Scene
let micro: Scene
beforeAll(async () => {
  served = await startServedWorld({ fill: fillWithPosters })
  ;({ world, service } = served)
  ;[standard, micro] = (['standard', 'micro'] as const).map((market) =>
    createScene(world.devnet.client, world.devnet.deployments, market),
  ) as [Scene, Scene]
})
afterAll(() => served?.stop())

const [ada, bruno, chiara, devi] = posters

async function call(method: 'GET' | 'POST', path: string, given: object = {}) {
  const query = method === 'GET' ? `?${new URLSearchParams(given as Record<string, string>)}` : ''
  const response = await service.app.request(`${path}${query}`, {
    method,
    ...(method === 'POST' && { body: JSON.stringify(given), headers: { 'content-type': 'application/json' } }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the schema of each route is tested elsewhere
  const body: any = await response.json()
  const route = apiRoutes.find((each) => each.path === path)
  if (response.status === 200 && route)
    expect(z.safeParse(route.operation.output, body).error?.issues ?? [], path).toEqual([])
  expect(response.headers.get('cache-control')).toBe('no-store')
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') }
}

const readQuota = async (address: Address, market: Market = 'standard') =>
  (await call('GET', '/api/posting/quota', { address, market })).body

describe('GET /api/posting/quota', () => {
  test('200: a wallet without a history has the free plan', async () => {
    const { status, body } = await call('GET', '/api/posting/quota', { address: accounts.olga.address.toLowerCase() })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { tier: 'free', used: 0, limit: 3, canPost: true, market: 'standard', address: accounts.olga.address },
    })
    expect(body.resetsAt % 86_400).toBe(0)
    expect(body.resetsAt * 1_000 - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  test('400: an address is required', async () => {
    const { status, body } = await call('GET', '/api/posting/quota')
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_ADDRESS' } })
    expect(body.error).toContain('wallet address is required')
  })
})

describe('POST /api/posting/record', () => {
  test('200: a post counts once in its own market, no matter who records it and how often', async () => {
    const record = await postTask(standard, ada)
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/api/posting/record', record)))
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 200,
        body: { recorded: true, quota: { tier: 'free', used: 1, limit: 3, canPost: true } },
      })
    }
    await service.caughtUp()
    expect(await call('POST', '/api/posting/record', { ...record, market: undefined })).toMatchObject({ status: 200 })
    expect(await readQuota(ada.address)).toMatchObject({ used: 1 })
    expect(await readQuota(ada.address, 'micro')).toMatchObject({ used: 0 })
  })

  test('200: a post that is never recorded counts too', async () => {
    await postTask(standard, ada)
    await service.caughtUp()
    expect(await readQuota(ada.address)).toMatchObject({ used: 2 })
  })

  test('409 TX_NOT_FOUND: an unknown transaction', async () => {
    const record = await postTask(micro, devi)
    const answer = await call('POST', '/api/posting/record', { ...record, txHash: zeroHash })
    expect(answer).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' }, retryAfter: '2' })
  })

  test('422 TX_CONTRADICTS: names every field that the chain contradicts', async () => {
    const record = await postTask(micro, bruno)
    const other = await postTask(micro, chiara)
    const { txHash: payment } = await payForPlan(standard, chiara, 'basic', 'usdc')
    const inStandard = record.taskId.replace('micro', 'standard')
    for (const [field, change] of [
      ['taskId', { taskId: other.taskId }],
      ['address', { address: ada.address }],
      ['taskAmountTok', { taskAmountTok: '1' }],
      ['txHash', { txHash: payment }],
      ['txHash', { taskId: inStandard, market: 'standard' }],
    ] as const) {
      const { status, body } = await call('POST', '/api/posting/record', { ...record, ...change })
      expect({ status, body }, field).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS', field } })
    }
  })

  test('422 TX_CONTRADICTS: a transaction that failed', async () => {
    const { client } = world.devnet
    const record = await postTask(micro, bruno)
    const txHash = await client.sendTransaction({
      account: bruno,
      to: micro.contracts.taskRegistry,
      data: '0x12345678',
      gas: 100_000n,
      chain: null,
    })
    await client.waitForTransactionReceipt({ hash: txHash })
    const { status, body } = await call('POST', '/api/posting/record', { ...record, txHash })
    expect({ status, body }).toMatchObject({ status: 422, body: { field: 'txHash' } })
  })

  test.each([
    [{ address: '0x12' }, 'INVALID_ADDRESS'],
    [{ taskId: '7' }, 'INVALID_TASK_ID'],
    [{ taskId: 7 }, 'INVALID_TASK_ID'],
    [{ txHash: '0x12' }, 'INVALID_TX_HASH'],
    [{ txHash: ['0x'] }, 'INVALID_TX_HASH'],
    [{ taskAmountTok: '-1' }, 'INVALID_REQUEST'],
    [{ taskAmountTok: '9'.repeat(1_000) }, 'INVALID_REQUEST'],
    [{ market: 'standard' }, 'INVALID_MARKET'],
  ])('400: %j', async (change, code) => {
    const record = { address: ada.address, taskId: 'v2:micro:1', txHash: zeroHash, taskAmountTok: '1', ...change }
    expect(await call('POST', '/api/posting/record', record)).toMatchObject({ status: 400, body: { code } })
  })
})

describe('POST /api/posting/check', () => {
  test('200 while there are posts left, 429 with the quota when there are none', async () => {
    expect(await call('POST', '/api/posting/check', { address: devi.address })).toMatchObject({
      status: 200,
      body: { tier: 'free', used: 0, limit: 3, canPost: true, address: devi.address, market: 'standard' },
    })
    for (let i = 0; i < 3; i++) await call('POST', '/api/posting/record', await postTask(standard, devi))
    const { status, body, retryAfter } = await call('POST', '/api/posting/check', { address: devi.address })
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { code: 'QUOTA_REACHED', quota: { tier: 'free', used: 3, limit: 3, canPost: false } },
    })
    expect(body).toMatchObject({
      error: 'The daily posting limit is reached: 3 of 3 posts used today on the free plan.',
      plansUrl: 'https://market.example/plans?market=standard',
    })
    expect(body.hint).toContain(
      `Buy a plan at ${body.plansUrl} or with "svc-prepare buy-plan --market standard --tier basic --pay-with usdc --from ${devi.address}".`,
    )
    expect(Number(retryAfter)).toBeGreaterThan(0)
  })
})

describe('POST /api/actions/prepare with post-task', () => {
  const prepare = (from: Address) =>
    call('POST', '/api/actions/prepare', {
      action: 'post-task',
      input: buildPostInput(world.devnet.deployments, 'standard', from),
      from,
    })

  test('shows the quota, and refuses at the limit with the words of the check', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    await fundPoster(world.devnet.client, world.devnet.deployments, wallet)
    const { status, body } = await prepare(wallet.address)
    expect({ status, body }).toMatchObject({ status: 200, body: { quota: { used: 0, limit: 3 }, action: 'post-task' } })
    for (let i = 0; i < 3; i++) await call('POST', '/api/posting/record', await postTask(standard, wallet))
    const refused = await prepare(wallet.address)
    const checked = await call('POST', '/api/posting/check', { address: wallet.address })
    expect(refused).toMatchObject({ status: 429, body: checked.body })

    await payForPlan(standard, wallet, 'basic', 'usdc')
    expect(await prepare(wallet.address)).toMatchObject({
      status: 200,
      body: { quota: { tier: 'basic', used: 3, limit: 25, canPost: true } },
    })
  })
})

describe('GET /api/posting/quote', () => {
  test.each(['tok', 'usdc'] as const)('200: the calls of a quote in %s buy the plan', async (payWith) => {
    const { client } = world.devnet
    await refreshPrice(client, accounts.keeper)
    await sendCall(client, ada, {
      address: standard.contracts[payWith === 'tok' ? 'tokToken' : 'usdc'],
      abi: erc20Abi,
      functionName: 'approve',
      args: [standard.contracts.paymentGateway, 0n],
    })
    const given = { address: ada.address, tier: 'basic', payWith }
    const { status, body } = await call('GET', '/api/posting/quote', given)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ...given,
        market: 'standard',
        listPriceUsdc: 9,
        discountedUsd: payWith === 'tok' ? 7.2 : 9,
        tokUsdPrice: payWith === 'tok' ? 0.0025 : null,
        amountUnits: payWith === 'tok' ? `2880${'0'.repeat(18)}` : '9000000',
        paymentGateway: standard.contracts.paymentGateway,
      },
    })
    expect(body.calls).toHaveLength(2)
    for (const { to, data } of body.calls) await sendTransaction(client, ada, { to, data })
    const txHash = await readLastTransaction(client)
    expect(await call('POST', '/api/posting/upgrade', { ...given, txHash })).toMatchObject({
      status: 200,
      body: { upgraded: true, tier: 'basic', quota: { tier: 'basic', limit: 25 } },
    })
  })

  test('200: a sufficient allowance is not changed', async () => {
    const { body } = await call('GET', '/api/posting/quote', { address: bruno.address, tier: 'pro' })
    expect(body.calls.map(({ to }: { to: Address }) => to)).toEqual([standard.contracts.paymentGateway])
  })

  test.each([
    [{ tier: 'free' }, 'INVALID_TIER'],
    [{ tier: 'gold' }, 'INVALID_TIER'],
    [{ payWith: 'eth' }, 'INVALID_PAY_WITH'],
    [{ address: `0x${'0'.repeat(40)}` }, 'INVALID_ADDRESS'],
  ])('400: %j', async (change, code) => {
    const given = { address: ada.address, tier: 'basic', ...change }
    const { status, body } = await call('GET', '/api/posting/quote', given)
    expect({ status, body }).toMatchObject({ status: 400, body: { code } })
    if ('tier' in change && change.tier === 'free') expect(body.hint).toContain('without paying')
  })
})

describe('GET /api/posting/tok-preview', () => {
  test.each([
    ['free', { listPriceUsdc: 0, discountedUsd: 0, tokUsdPrice: 0.0025, tokAmount: 0, tokAllowed: false }],
    ['basic', { listPriceUsdc: 9, discountedUsd: 7.2, tokUsdPrice: 0.0025, tokAmount: 2_880, tokAllowed: true }],
    ['pro', { listPriceUsdc: 49, discountedUsd: 39.2, tokUsdPrice: 0.0025, tokAmount: 15_680, tokAllowed: true }],
  ])('200: %s', async (tier, price) => {
    expect(await call('GET', '/api/posting/tok-preview', { tier })).toMatchObject({
      status: 200,
      body: { tier, ...price },
    })
  })

  test('400: a tier is required', async () => {
    expect(await call('GET', '/api/posting/tok-preview')).toMatchObject({ status: 400, body: { code: 'INVALID_TIER' } })
  })
})

describe('POST /api/posting/upgrade', () => {
  test('200: a payment grants one plan no matter how often it is reported, and the better plan applies', async () => {
    const basic = await payForPlan(micro, bruno, 'basic', 'tok')
    const pro = await payForPlan(micro, bruno, 'pro', 'usdc')
    const first = await call('POST', '/api/posting/upgrade', pro)
    expect(first).toMatchObject({
      status: 200,
      body: { upgraded: true, tier: 'pro', quota: { tier: 'pro', limit: 200 } },
    })
    expect(await call('POST', '/api/posting/upgrade', pro)).toEqual(first)
    expect(await call('POST', '/api/posting/upgrade', basic)).toMatchObject({
      status: 200,
      body: { tier: 'basic', quota: { tier: 'pro' } },
    })
    const [grants] = await world.sql`select count(*)::int from posting.payment where market = 1`
    expect(grants?.count).toBe(2)
    expect(await readQuota(bruno.address, 'standard')).toMatchObject({ tier: 'free' })
    const chainTime = Number((await world.devnet.client.getBlock()).timestamp)
    expect(Math.abs(first.body.paidUntil - chainTime - 30 * 86_400)).toBeLessThan(100)
  })

  test('409 TX_NOT_FOUND and 422 TX_CONTRADICTS', async () => {
    const paid = await payForPlan(micro, chiara, 'basic', 'tok')
    const { txHash: noPayment } = await postTask(micro, chiara)
    expect(await call('POST', '/api/posting/upgrade', { ...paid, txHash: zeroHash })).toMatchObject({
      status: 409,
      body: { code: 'TX_NOT_FOUND' },
      retryAfter: '2',
    })
    for (const [field, change] of [
      ['tier', { tier: 'pro' }],
      ['payWith', { payWith: 'usdc' }],
      ['txHash', { market: 'standard' }],
      ['txHash', { txHash: noPayment }],
    ] as const) {
      const { status, body } = await call('POST', '/api/posting/upgrade', { ...paid, ...change })
      expect({ status, body }, field).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS', field } })
    }
  })

  test('409 PAYMENT_TAKEN: one transaction pays for several wallets, each gets its own plan and others nothing', async () => {
    const { client } = world.devnet
    const { usdc, paymentGateway } = standard.contracts
    const open = parseAbi(['function mint(address to, uint256 amount)'])
    await sendCall(client, ada, { address: usdc, abi: open, functionName: 'mint', args: [multicall3, 1_000_000_000n] })
    const buy = (tier: 'basic' | 'pro', beneficiary: Address) => ({
      target: paymentGateway,
      callData: encodeFunctionData({
        abi: paymentGatewayAbi,
        functionName: 'buyPlan',
        args: [encodePlanId(tier), beneficiary, usdc, maxUint256],
      }),
    })
    const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [paymentGateway, maxUint256] })
    const calls = [{ target: usdc, callData: allow }, buy('basic', chiara.address), buy('pro', devi.address)]
    await sendTogether(client, calls)
    const paid = { txHash: await readLastTransaction(client), payWith: 'usdc', market: 'standard' }
    const upgrade = (address: Address, tier: string) => call('POST', '/api/posting/upgrade', { ...paid, address, tier })
    expect(await upgrade(chiara.address, 'basic')).toMatchObject({ status: 200, body: { quota: { tier: 'basic' } } })
    expect(await upgrade(devi.address, 'pro')).toMatchObject({ status: 200, body: { quota: { tier: 'pro' } } })
    expect(await upgrade(chiara.address, 'pro')).toMatchObject({ status: 422, body: { field: 'tier' } })
    expect(await upgrade(bruno.address, 'basic')).toMatchObject({ status: 409, body: { code: 'PAYMENT_TAKEN' } })
  })

  test('400: the free plan cannot be bought', async () => {
    const given = { address: ada.address, tier: 'free', txHash: zeroHash, payWith: 'tok' }
    expect(await call('POST', '/api/posting/upgrade', given)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_TIER' },
    })
  })
})

test('POST /api/posting/record 200: two posts of one transaction both count', async () => {
  const records = await postTwoTasks(standard)
  expect(records).toHaveLength(2)
  for (const [index, record] of records.entries()) {
    expect(await call('POST', '/api/posting/record', record)).toMatchObject({ status: 200 })
    if (index === 1) expect(await readQuota(record.address)).toMatchObject({ used: 2 })
  }
})

// Last, because it changes the chain's time.
test('GET /api/posting/quote 503 PRICE_UNKNOWN: the oracle has no fresh price; USDC needs none', async () => {
  await advanceTime(world.devnet.client, 3 * 86_400)
  const given = { address: ada.address, tier: 'basic' }
  for (const [path, query] of [
    ['/api/posting/quote', given],
    ['/api/posting/tok-preview', { tier: 'basic' }],
  ] as const) {
    const { status, body, retryAfter } = await call('GET', path, query)
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'PRICE_UNKNOWN' } })
    expect(Number(retryAfter)).toBeGreaterThan(0)
  }
  expect(await call('GET', '/api/posting/quote', { ...given, payWith: 'usdc' })).toMatchObject({ status: 200 })
})

test('without an oracle, plans are sold for USDC only', async () => {
  const { client, deployments } = world.devnet
  const data = encodeFunctionData({ abi: pricingPolicyAbi, functionName: 'setUsdOracle', args: [zeroAddress] })
  await executeAsOwner(client, deployments, [{ to: deployments.shared.pricingPolicy, data }])
  const given = { address: ada.address, tier: 'basic' }
  expect(await call('GET', '/api/posting/quote', given)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PAY_WITH' },
  })
  expect(await call('GET', '/api/posting/quote', { ...given, payWith: 'usdc' })).toMatchObject({ status: 200 })
  expect(await call('GET', '/api/posting/tok-preview', { tier: 'basic' })).toMatchObject({
    status: 200,
    body: { listPriceUsdc: 9, tokUsdPrice: 0, tokAmount: 0, tokAllowed: false },
  })
})
