import { accounts, createScene, sendApprovals, sendTopUp } from '@svc/devnet'
import { type Market, markets, parseAmount } from '@svc/protocol'
import { zeroHash } from 'viem'
import { payForPlan, postTask } from '../../harness/posters.ts'
import { type ProofContext, proven, type Statement } from './statement.ts'

const { newcomer, olga } = accounts

/** A market in which the newcomer can post. */
async function createPostingScene({ world }: ProofContext, market: Market) {
  const scene = createScene(world.devnet.client, world.devnet.deployments, market)
  await sendApprovals(scene, newcomer)
  await sendTopUp(scene, newcomer, parseAmount('100', 'usdc'))
  return scene
}

const resources = proven(2, [
  [
    'GET /api/posting/quota 200',
    'The quota has tier, used, limit and canPost, keyed by market plus wallet address',
    async ({ client, expect }) => {
      const { body } = await client.getQuota({ address: olga.address })
      expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true })
      for (const market of markets) {
        const { address } = accounts.ada
        const { body: quota } = await client.getQuota({ address, market })
        const { body: posted } = await client.listTasksByPoster({ address, market })
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
      const { body } = await client.previewPlanPrice({ tier: 'basic' })
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

/** These change the world, so they run after everything that compares it with its scenarios. */
const endpoints = proven(4, [
  [
    'GET /api/posting/quote 200',
    'Returns a quote in the service token for the plan tier',
    async ({ client, world, expect }) => {
      const { body } = await client.quotePlan({
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
      const { body } = await client.checkQuota({ address: olga.address, market: 'micro' })
      expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true, market: 'micro' })
    },
  ],
  [
    'POST /api/posting/record 200',
    'Increments the daily quota after an onchain post',
    async (context) => {
      const record = await postTask(await createPostingScene(context, 'micro'), newcomer)
      const { body } = await context.client.recordPost(record)
      context.expect(body).toEqual({ recorded: true, quota: { tier: 'free', used: 1, limit: 3, canPost: true } })
      context.expect((await context.client.recordPost(record)).body).toEqual(body)
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
    async (context) => {
      const record = await postTask(await createPostingScene(context, 'micro'), newcomer)
      const { status, body } = await context.post('/api/posting/record', { ...record, address: olga.address })
      context
        .expect({ status, body })
        .toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS', field: 'address' } })
    },
  ],
  [
    'POST /api/posting/upgrade 200',
    'Verifies the payment transaction, then upgrades the posting tier',
    async (context) => {
      const payment = await payForPlan(await createPostingScene(context, 'standard'), newcomer, 'basic', 'tok')
      const { body } = await context.client.upgradePlan(payment)
      context.expect(body).toMatchObject({ upgraded: true, tier: 'basic', quota: { tier: 'basic', limit: 25 } })
      const { body: quota } = await context.client.getQuota({ address: newcomer.address })
      context.expect(quota).toMatchObject({ tier: 'basic', limit: 25, canPost: true })
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
    async (context) => {
      const payment = await payForPlan(await createPostingScene(context, 'standard'), newcomer, 'basic', 'usdc')
      for (const change of [{ tier: 'pro' }, { payWith: 'tok' }, { market: 'micro' }]) {
        const { status, body } = await context.post('/api/posting/upgrade', { ...payment, ...change })
        context.expect({ status, body }).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS' } })
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
        client.getQuota({ address: stranger }),
        client.checkQuota({ address: stranger }),
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
    async (context) => {
      const scene = await createPostingScene(context, 'micro')
      const check = () => context.post('/api/posting/check', { address: newcomer.address, market: 'micro' })
      for (let posts = 0; posts < 3 && (await check()).status === 200; posts++) {
        await context.client.recordPost(await postTask(scene, newcomer))
      }
      const { status, body } = await check()
      context.expect(status).toBe(429)
      context.expect(body.error).toMatch(/daily posting limit.* is reached/)
      context.expect(body.quota).toMatchObject({ tier: 'free', limit: 3, canPost: false })
      context.expect(body.quota.used).toBeGreaterThanOrEqual(3)
    },
  ],
])

const limits = proven(8, [
  [
    'GET /api/posting/quota 200',
    'The free plan has 3 posts a day, keyed by market plus address',
    async ({ client, caughtUp, expect }) => {
      await caughtUp()
      const { body } = await client.getQuota({ address: newcomer.address, market: 'micro' })
      expect(body).toMatchObject({ tier: 'free', limit: 3, canPost: false })
      expect((await client.getQuota({ address: olga.address, market: 'micro' })).body.canPost).toBe(true)
      expect((await client.getQuota({ address: newcomer.address, market: 'standard' })).body.canPost).toBe(true)
    },
  ],
])

/** The posting quota, by section of the specification. */
export const posting: readonly Statement[] = [...resources, ...endpoints, ...authentication, ...errors, ...limits]
