import { accounts, approve, createScene, topUp } from '@svc/devnet'
import { type Market, markets, parseAmount } from '@svc/protocol'
import { zeroHash } from 'viem'
import { payFor, postTask } from '../../harness/posters.ts'
import { type Bench, proven, type Statement } from './statement.ts'

const { newcomer, olga } = accounts

/** A market in which the newcomer can post. */
async function sceneOf({ world }: Bench, market: Market) {
  const scene = createScene(world.devnet.client, world.devnet.deployments, market)
  await approve(scene, newcomer)
  await topUp(scene, newcomer, parseAmount('100', 'usdc'))
  return scene
}

const resources = proven(2, [
  [
    'GET /api/posting/quota 200',
    'The quota has tier, used, limit and canPost, keyed by market plus wallet address',
    async ({ client, expect }) => {
      const { body } = await client.postingQuota({ address: olga.address })
      expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true })
      for (const market of markets) {
        const { address } = accounts.ada
        const { body: quota } = await client.postingQuota({ address, market })
        const { body: posted } = await client.posterTasks({ address, market })
        const today = posted.tasks.filter(
          ({ scope, postedAt }) => scope === 'OPEN' && postedAt >= quota.resetsAt - 86_400,
        )
        expect(quota).toMatchObject({ market, address, used: today.length })
      }
    },
  ],
  [
    'GET /api/posting/tok-preview 200',
    'The preview has tier, listPriceUsdc, discountedUsd, tokUsdPrice and tokAmount as numbers, and tokAllowed',
    async ({ client, expect }) => {
      const { body } = await client.postingTokPreview({ tier: 'basic' })
      expect(body).toEqual({
        tier: 'basic',
        listPriceUsdc: 9,
        discountedUsd: 7.2,
        tokUsdPrice: 0.0025,
        tokAmount: 2_880,
        tokAllowed: true,
      })
    },
  ],
])

/** These change the world, so they come after all that compare it with its stories. */
const endpoints = proven(4, [
  [
    'GET /api/posting/quote 200',
    'Returns a quote in the service token for the plan tier',
    async ({ client, world, expect }) => {
      const { body } = await client.postingQuote({
        address: olga.address,
        tier: 'basic',
        payWith: 'tok',
        market: 'micro',
      })
      expect(body).toMatchObject({
        tier: 'basic',
        market: 'micro',
        address: olga.address,
        amountWei: String(parseAmount('2,880', 'tok')),
        asset: world.devnet.deployments.shared.tokToken,
      })
    },
  ],
  [
    'POST /api/posting/check 200',
    'Returns the quota when posting is allowed',
    async ({ client, expect }) => {
      const { body } = await client.postingCheck({ address: olga.address, market: 'micro' })
      expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true, market: 'micro' })
    },
  ],
  [
    'POST /api/posting/record 200',
    'Increments the daily quota after an onchain post',
    async (bench) => {
      const record = await postTask(await sceneOf(bench, 'micro'), newcomer)
      const { body } = await bench.client.postingRecord(record)
      bench.expect(body).toEqual({ recorded: true, quota: { tier: 'free', used: 1, limit: 3, canPost: true } })
      bench.expect((await bench.client.postingRecord(record)).body).toEqual(body)
    },
  ],
  [
    'POST /api/posting/record 409',
    'A transaction that is not visible yet does not count',
    async ({ post, expect }) => {
      const record = { address: olga.address, taskId: 'v2:micro:1', txHash: zeroHash, taskAmountTok: '1' }
      const { status, body, headers } = await post('/api/posting/record', record)
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' } })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  ],
  [
    'POST /api/posting/record 422',
    'A transaction that says something else does not count',
    async (bench) => {
      const record = await postTask(await sceneOf(bench, 'micro'), newcomer)
      const { status, body } = await bench.post('/api/posting/record', { ...record, address: olga.address })
      bench.expect({ status, body }).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS', field: 'address' } })
    },
  ],
  [
    'POST /api/posting/upgrade 200',
    'Verifies the payment transaction, then upgrades the posting tier',
    async (bench) => {
      const payment = await payFor(await sceneOf(bench, 'standard'), newcomer, 'basic', 'tok')
      const { body } = await bench.client.postingUpgrade(payment)
      bench.expect(body).toMatchObject({ upgraded: true, tier: 'basic', quota: { tier: 'basic', limit: 25 } })
      const { body: quota } = await bench.client.postingQuota({ address: newcomer.address })
      bench.expect(quota).toMatchObject({ tier: 'basic', limit: 25, canPost: true })
    },
  ],
  [
    'POST /api/posting/upgrade 409',
    'A payment that is not visible yet upgrades nothing',
    async ({ post, expect }) => {
      const payment = { address: olga.address, tier: 'basic', txHash: zeroHash, payWith: 'tok' }
      expect(await post('/api/posting/upgrade', payment)).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' } })
    },
  ],
  [
    'POST /api/posting/upgrade 422',
    'A payment for another tier, token or market upgrades nothing',
    async (bench) => {
      const payment = await payFor(await sceneOf(bench, 'standard'), newcomer, 'basic', 'usdc')
      for (const change of [{ tier: 'pro' }, { payWith: 'tok' }, { market: 'micro' }]) {
        const { status, body } = await bench.post('/api/posting/upgrade', { ...payment, ...change })
        bench.expect({ status, body }).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS' } })
      }
    },
  ],
  [
    'POST /api/posting/upgrade 400',
    'payWith is tok or usdc',
    async ({ post, expect }) => {
      const payment = { address: olga.address, tier: 'basic', txHash: zeroHash, payWith: 'eth' }
      expect(await post('/api/posting/upgrade', payment)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PAY_WITH' },
      })
    },
  ],
])

const authentication = proven(5, [
  [
    'GET /api/posting/quota 200',
    'address on quota routes is a plain parameter; HTTP does not require a signature for it',
    async ({ client, expect }) => {
      const stranger = `0x${'ab'.repeat(20)}`
      const [{ body }, { body: checked }] = await Promise.all([
        client.postingQuota({ address: stranger }),
        client.postingCheck({ address: stranger }),
      ])
      expect(checked).toEqual(body)
      expect(body.address.toLowerCase()).toBe(stranger)
    },
  ],
])

const errors = proven(7, [
  [
    'GET /api/posting/quota 400',
    'A quota route without a wallet address: the error says that one is required',
    async ({ send, post, expect }) => {
      const replies = await Promise.all([
        send('/api/posting/quota'),
        send('/api/posting/quote?tier=basic'),
        ...['check', 'record', 'upgrade'].map((name) => post(`/api/posting/${name}`, {})),
      ])
      for (const { status, body } of replies) {
        expect(status).toBe(400)
        expect(body.error).toMatch(/wallet address is required/)
      }
    },
  ],
  [
    'POST /api/posting/check 429',
    'The daily limit is reached: the error says so, with the quota, canPost false',
    async (bench) => {
      const scene = await sceneOf(bench, 'micro')
      const check = () => bench.post('/api/posting/check', { address: newcomer.address, market: 'micro' })
      for (let posts = 0; posts < 3 && (await check()).status === 200; posts++) {
        await bench.client.postingRecord(await postTask(scene, newcomer))
      }
      const { status, body } = await check()
      bench.expect(status).toBe(429)
      bench.expect(body.error).toMatch(/daily posting limit.* is reached/)
      bench.expect(body.quota).toMatchObject({ tier: 'free', limit: 3, canPost: false })
      bench.expect(body.quota.used).toBeGreaterThanOrEqual(3)
    },
  ],
])

const limits = proven(8, [
  [
    'GET /api/posting/quota 200',
    'The free plan has 3 posts a day, keyed by market plus address',
    async ({ client, caughtUp, expect }) => {
      await caughtUp()
      const { body } = await client.postingQuota({ address: newcomer.address, market: 'micro' })
      expect(body).toMatchObject({ tier: 'free', limit: 3, canPost: false })
      expect((await client.postingQuota({ address: olga.address, market: 'micro' })).body.canPost).toBe(true)
      expect((await client.postingQuota({ address: newcomer.address, market: 'standard' })).body.canPost).toBe(true)
    },
  ],
])

/** The posting quota, in the sections that speak of it. */
export const posting: readonly Statement[] = [...resources, ...endpoints, ...authentication, ...errors, ...limits]
