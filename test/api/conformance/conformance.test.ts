// The API over a devnet with the demo world and a real index. One file, because its tests share one world. Posting comes last:
// it changes the world that the other tests compare with its scenarios.
import { accounts, createScene, sendApprovals, sendTopUp } from '@svc/devnet'
import { apiRoutes, describeInputFields, type Route } from '@svc/operations'
import { formatTaskId, type Market, markets, parseAmount, parseTaskId } from '@svc/protocol'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../apps/api/src/contract/openapi.ts'
import { readApiEnv } from '../../../apps/api/src/env.ts'
import { payForPlan, postTask } from '../../harness/posters.ts'
import { buildPostInput } from '../../harness/postInput.ts'
import * as everyRoute from './everyRoute.ts'
import { type ProofContext, startProofContext } from './proofContext.ts'

const { ada, newcomer, olga } = accounts
const { address } = ada
const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const missing = 'v2:standard:99999'
const wei = /^(?:0|[1-9][0-9]*)$/
const addressForm = /^0x[0-9a-fA-F]{40}$/
const digestForm = /^0x[0-9a-f]{64}$/
const path = '/api/role-chat'
const question = { system: 'You are a guide.', messages: [{ role: 'user', content: 'What is a task?' }] }

let context: ProofContext & { stop: () => Promise<void> }
beforeAll(async () => {
  context = await startProofContext()
})
afterAll(() => context?.stop())

/** Tasks of both markets in every state, as `recent` returns them, with their record on the chain. */
async function listWithChain() {
  const { client, world } = context
  const lists = await Promise.all(
    markets.map(async (market: Market) => {
      const [{ body }, direct] = await Promise.all([
        client.listRecentTasks({ market }),
        world.direct.listRecent(market, { limit: 100 }),
      ])
      const onChain = new Map(direct.tasks.map((task) => [task.number, task]))
      return body.tasks.map((task) => ({ task, market, onChain: onChain.get(parseTaskId(task.id).number) }))
    }),
  )
  return lists.flat()
}

/** A market in which the newcomer can post. */
async function createPostingScene({ world }: ProofContext, market: Market) {
  const scene = createScene(world.devnet.client, world.devnet.deployments, market)
  await sendApprovals(scene, newcomer)
  await sendTopUp(scene, newcomer, parseAmount('100', 'usdc'))
  return scene
}

const name = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const)
const gets = apiRoutes.filter(({ method }) => method === 'get')
const posts = apiRoutes.filter(({ method }) => method === 'post')
const reads = apiRoutes.filter(({ operation }) => operation.kind === 'read')
const withMarket = gets.filter(({ operation }) => 'market' in describeInputFields(operation))

describe('reads', () => {
  test('the chain id is that of the chain, 8453', async () => {
    const { client, world } = context
    const { body } = await client.getSiteConfig({})
    expect(body.chainId).toBe(8453)
    expect(await world.devnet.client.getChainId()).toBe(body.chainId)
  })

  test('the lists of the two markets share nothing', async () => {
    const { client } = context
    const lists = await Promise.all(markets.map((market) => client.listRecentTasks({ market })))
    for (const [index, { body }] of lists.entries()) {
      expect(body.tasks.length).toBeGreaterThan(0)
      for (const task of body.tasks) {
        expect(task.id.startsWith(`v2:${markets[index]}:`)).toBe(true)
        expect(task.registryAddress).toBe(body.tasks[0]?.registryAddress)
      }
    }
    expect(lists[0]?.body.tasks[0]?.registryAddress).not.toBe(lists[1]?.body.tasks[0]?.registryAddress)
  })

  test("a task's id has its market and its number on chain", async () => {
    for (const { task, market, onChain } of await listWithChain()) {
      expect(task).toMatchObject({ id: `v2:${market}:${onChain?.number}`, market })
    }
  })

  test('a task names the registry of its market', async () => {
    const { markets: places } = context.world.devnet.deployments
    for (const { task, market } of await listWithChain()) {
      expect(task.registryAddress).toBe(places[market].taskRegistry)
    }
  })

  test("a task's amounts are those of the chain, in wei", async () => {
    for (const { task, onChain } of await listWithChain()) {
      for (const amount of [task.totalAmountTokWei, task.fundedTokWei, task.releasedTokWei]) {
        expect(amount).toMatch(wei)
      }
      expect(onChain).toMatchObject({
        total: BigInt(task.totalAmountTokWei),
        funded: BigInt(task.fundedTokWei),
        released: BigInt(task.releasedTokWei),
      })
    }
  })

  test("a task's state, worker and settlement digest are those of the chain", async () => {
    const all = await listWithChain()
    expect(all.some(({ task }) => task.worker)).toBe(true)
    for (const { task, onChain } of all) {
      expect(task.state).toBe(onChain?.state)
      expect(task.worker ?? null).toBe(onChain?.worker)
      expect(task.settlementDigest).toBe(task.worker ? onChain?.settlementDigest : undefined)
      if (task.worker) expect(task.settlementDigest).toMatch(digestForm)
    }
  })

  test('the open list has only tasks that are POSTED', async () => {
    const { client, world } = context
    for (const market of markets) {
      const { body } = await client.listOpenTasks({ market })
      const demoTasks = world.demoTasks.filter(
        (task) => task.market === market && task.scenario.expected.phase === 'OPEN_FOR_CLAIM',
      )
      expect(body.tasks.map(({ id }) => id).sort()).toEqual(
        demoTasks.map(({ taskId }) => `v2:${market}:${taskId}`).sort(),
      )
      for (const { state } of body.tasks) expect(state).toBe('POSTED')
    }
  })

  test('the open list is that of the registry on chain', async () => {
    const { client, world } = context
    for (const market of markets) {
      const [{ body }, direct] = await Promise.all([
        client.listOpenTasks({ market }),
        world.direct.listOpen(market, { limit: 100 }),
      ])
      expect(body.tasks.map(({ id }) => id)).toEqual(direct.tasks.map(({ number }) => `v2:${market}:${number}`))
    }
  })

  test('a task of the open list has the seven fields', async () => {
    const { client } = context
    const { body } = await client.listOpenTasks({})
    const fields = ['id', 'market', 'registryAddress', 'state', 'totalAmountTokWei', 'fundedTokWei', 'releasedTokWei']
    expect(body.tasks.length).toBeGreaterThan(0)
    for (const task of body.tasks) expect(Object.keys(task)).toEqual(expect.arrayContaining(fields))
    expect(Object.keys(body)).toEqual(['tasks', 'meta'])
  })

  test('the open list has no private task', async () => {
    const { client } = context
    for (const market of markets) {
      const [{ body: open }, { body: recent }] = await Promise.all([
        client.listOpenTasks({ market }),
        client.listRecentTasks({ market }),
      ])
      expect(new Set(open.tasks.map(({ scope }) => scope))).toEqual(new Set(['OPEN']))
      expect(recent.tasks.some(({ scope }) => scope === 'PRIVATE')).toBe(true)
    }
  })

  test('an ACTIVE task is listed with a worker and a settlement digest', async () => {
    const { client } = context
    const posters = [accounts.ada, accounts.bruno, accounts.chiara, accounts.devi]
    const lists = await Promise.all(posters.map(({ address }) => client.listTasksByPoster({ address })))
    const active = lists.flatMap(({ body }) => body.tasks).filter(({ state }) => state === 'ACTIVE')
    expect(active.length).toBeGreaterThan(0)
    for (const { worker, settlementDigest } of active) {
      expect(worker).toMatch(/^0x[0-9a-fA-F]{40}$/)
      expect(settlementDigest).toMatch(/^0x[0-9a-f]{64}$/)
    }
  })

  test('the recent list has the tasks of one market, in any state', async () => {
    const { client, world } = context
    for (const market of markets) {
      const { body } = await client.listRecentTasks({ market })
      const demoTasks = world.demoTasks.filter((task) => task.market === market)
      expect(body.tasks.map(({ id }) => id).sort()).toEqual(
        demoTasks.map(({ taskId }) => `v2:${market}:${taskId}`).sort(),
      )
      expect(new Set(body.tasks.map(({ state }) => state))).toEqual(
        new Set(demoTasks.map(({ scenario }) => scenario.expected.state)),
      )
    }
  })

  test('the list of a poster has its tasks, with worker and digest where assigned', async () => {
    const { client, world } = context
    for (const market of markets) {
      const [{ body }, direct] = await Promise.all([
        client.listTasksByPoster({ address, market }),
        world.direct.listByPoster(market, address, { limit: 100 }),
      ])
      expect(direct.tasks.some(({ worker }) => worker)).toBe(true)
      expect(
        body.tasks.map(({ id, poster, worker, settlementDigest }) => [id, poster, worker, settlementDigest]),
      ).toEqual(
        direct.tasks.map((task) => [
          `v2:${market}:${task.number}`,
          address,
          task.worker ?? undefined,
          task.worker ? task.settlementDigest : undefined,
        ]),
      )
    }
  })

  test('a task is found by id and by taskId', async () => {
    const { client } = context
    const [byId, byTaskId] = await Promise.all([
      client.getTask({ id: 'v2:micro:1' }),
      client.getTask({ taskId: 'v2:micro:1' }),
    ])
    expect(byId.body.task.id).toBe('v2:micro:1')
    expect(byTaskId.body).toEqual(byId.body)
  })

  test('a task that does not exist is 404', async () => {
    const { send } = context
    for (const id of ['v2:standard:99999', `v2:micro:${2n ** 256n - 1n}`]) {
      expect(await send(`/api/market/task?id=${id}`)).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
    }
  })

  test('the site config has eight contracts, and each has code', async () => {
    const { client, world } = context
    const named = ['tokToken', 'taskRegistry', 'depositVault', 'escrowVault', 'paymentGateway', 'stakingVault']
    for (const market of markets) {
      const { body } = await client.getSiteConfig({ market })
      expect(body).toMatchObject({ chainName: expect.any(String), rpcUrl: expect.stringMatching(/^http/), market })
      for (const name of [...named, 'usdOracle', 'pricingPolicy']) {
        const place = body.contracts[name as keyof typeof body.contracts]
        expect(place, name).toMatch(addressForm)
        const code = await world.devnet.client.getCode({ address: place as `0x${string}` })
        expect(code?.length, `${name} has code`).toBeGreaterThan(2)
      }
    }
  })

  test('the Union overview is that of the chain', async () => {
    const { client, world } = context
    for (const market of markets) {
      const { body } = await client.getUnion({ market })
      const { union } = await world.direct.getUnion(market)
      expect(body).toMatchObject({
        source: 'chain-rpc',
        stakingActive: union.stakingActive,
        totalStakedTok: String(union.totalStaked),
        totalCreditsIssued: expect.stringMatching(wei),
        creditsRemaining: expect.stringMatching(wei),
        creditIssuanceClosed: union.creditIssuanceClosed,
      })
      expect(BigInt(body.totalStakedTok)).toBeGreaterThan(0n)
    }
  })

  test('the Union overview has no balance of a wallet', async () => {
    const { client, send } = context
    const { body } = await client.getUnion({})
    expect(JSON.stringify(body)).not.toMatch(/0x[0-9a-fA-F]{40}\b/)
    const asked = await send(`/api/union/overview?address=${accounts.ada.address}`)
    expect(asked).toMatchObject({ status: 400, body: { error: expect.stringContaining('Unknown parameter address.') } })
  })

  test('a ledger is the sum of the tasks of a wallet in one market', async () => {
    const { client } = context
    for (const market of markets) {
      for (const { address } of [accounts.ada, accounts.emeka]) {
        const { body } = await client.getLedger({ address, market })
        const [asPoster, asWorker] = await Promise.all([
          client.listTasksByPoster({ address, market }),
          client.listTasksByWorker({ address, market }),
        ])
        const sum = (list: typeof asPoster, field: 'fundedTokWei' | 'releasedTokWei' | 'refundedTokWei') =>
          list.body.tasks.reduce((total, task) => total + BigInt(task[field]), 0n)
        const { buyer, worker } = body
        for (const amount of Object.values({ ...buyer, ...worker, taskCount: '0' })) expect(amount).toMatch(wei)
        expect(buyer).toMatchObject({
          fundedTokWei: String(sum(asPoster, 'fundedTokWei')),
          releasedTokWei: String(sum(asPoster, 'releasedTokWei')),
          taskCount: asPoster.body.tasks.length,
        })
        const held = sum(asPoster, 'fundedTokWei') - sum(asPoster, 'releasedTokWei') - sum(asPoster, 'refundedTokWei')
        expect(BigInt(buyer.lockedTokWei) + BigInt(buyer.disputedTokWei)).toBe(held)
        expect(worker.taskCount).toBe(asWorker.body.tasks.length)
      }
    }
  })

  test('every task was announced by a log', async () => {
    const { client } = context
    for (const market of markets) {
      const posted = new Set<string | null>()
      for (let cursor: string | null = '0:0'; cursor !== null; ) {
        const { body } = await client.listEvents({ market, cursor })
        for (const { event, taskId } of body.events) if (/^Task(Posted|Created)$/.test(event)) posted.add(taskId)
        cursor = body.events.length > 0 ? body.meta.nextCursor : null
      }
      const { body } = await client.listRecentTasks({ market })
      expect([...posted].sort()).toEqual(body.tasks.map(({ id }) => id).sort())
    }
  })

  test('every read reports protocol version v2', async () => {
    const { send } = context
    for (const route of apiRoutes.filter(({ operation }) => operation.kind === 'read')) {
      const given = { address, id: 'v2:standard:1', ids: 'v2:standard:1', addresses: address }
      const { body } = await send(everyRoute.buildUrl(route, given))
      expect(body.meta.protocolVersion, route.path).toBe('v2')
    }
  })

  test('the earlier shape is not served', async () => {
    const { client, send } = context
    const { status, body } = await send('/api/market/task?id=1')
    expect(status).toBe(400)
    expect(body.hint).toMatch(/v2:standard:1/)
    expect(JSON.stringify((await client.listOpenTasks({})).body)).not.toMatch(/"(count|escrowAmount|budgetUsdc)"/)
  })

  test('the RPC URL of the operator is not shown', async () => {
    const { client, world } = context
    const { body } = await client.getSiteConfig({})
    expect(body.rpcUrl).not.toBe(world.devnet.rpcUrl)
    const keyed = 'https://rpc.example/v2/abcdefghijklmnopqrstuvwxyz012345'
    expect(() => readApiEnv({ SVC_PUBLIC_RPC_URL: keyed })).toThrow(/SVC_PUBLIC_RPC_URL: seems to contain a key/)
  })
})

describe('actions', () => {
  test('what is listed for a wallet goes through when it is prepared', async () => {
    const { client } = context
    const { body } = await client.listOpenTasks({ limit: 5 })
    let tried = 0
    for (const { id, poster } of body.tasks) {
      const { body: found } = await client.listSteps({ id: formatTaskId(parseTaskId(id)), address: poster })
      for (const { action, derived, required } of found.steps) {
        if (required.length > 0) continue
        const prepared = await client.prepareAction({ action, input: derived, from: poster } as never)
        expect(prepared.body.simulation.status, `${action} ${id}`).toBe('succeeds')
        tried++
      }
    }
    expect(tried).toBeGreaterThan(0)
  })

  test('the steps of a task that does not exist are 404', async () => {
    const { send } = context
    const reply = await send(`/api/actions/steps?id=${missing}&address=${wallet}`)
    expect(reply).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
  })

  test('an action on a task that does not exist is 404', async () => {
    const { post } = context
    const reply = await post('/api/actions/prepare', {
      action: 'cancel-task',
      input: { taskId: missing },
      from: wallet,
    })
    expect(reply).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
  })

  test('a task with a store, but without a key statement of its poster, is refused with the way out', async () => {
    const { post, world } = context
    const reply = await post('/api/actions/prepare', {
      action: 'post-task',
      input: buildPostInput(world.devnet.deployments, 'standard', address, wallet),
      from: address,
    })
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'STATEMENT_REQUIRED', hint: expect.stringContaining('sign-in') },
    })
  })

  test('an input that cannot be read is named', async () => {
    const { post } = context
    const reply = await post('/api/actions/prepare', {
      action: 'top-up',
      input: { market: 'micro', amountUsdc: 'ten' },
      from: wallet,
    })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining('input.amountUsdc') } })
  })
})

describe('chat', () => {
  test('a chat is answered with a text and a model', async () => {
    const { client } = context
    const { body } = await client.chat({
      ...question,
      messages: [{ role: 'user', content: 'What is a task?' }],
    })
    expect(body).toEqual({ text: 'A task is work for a wallet.', model: 'fake-1' })
  })

  test('a chat request has messages and no other field', async () => {
    const { post } = context
    for (const body of [
      {},
      { messages: [] },
      { messages: 'hello' },
      { messages: [{ role: 'user' }] },
      { ...question, model: 'x' },
    ]) {
      expect(await post(path, body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    }
  })

  test('a failing chat gateway is 502, without its details', async () => {
    const { post } = context
    const { status, body } = await post(path, question, 'failing')
    expect({ status, body }).toEqual({
      status: 502,
      body: { code: 'CHAT_FAILED', error: 'The chat gateway failed.' },
    })
  })

  test('a chat gateway that hangs is 504', async () => {
    const { post } = context
    expect(await post(path, question, 'hanging')).toMatchObject({ status: 504, body: { code: 'CHAT_TIMED_OUT' } })
  })
})

describe.each(name(apiRoutes))('%s', (_, route) => {
  test('answers the examples of the contract', () => everyRoute.answersExamples(context, route))
  test('answers one method only', () => everyRoute.answersOneMethod(context, route))
  test('refuses a URL of more than 4,096 characters', () => everyRoute.refusesLongUrl(context, route))
  test('refuses more requests than one client may send', () => everyRoute.refusesTooMany(context, route))
  test('says nothing about an internal error', () => everyRoute.hidesFaults(context, route))
  test('refuses more requests at once than it can work on', () => everyRoute.refusesCrowd(context, route))
})

describe.each(name(gets))('%s', (_, route) => {
  test('refuses a parameter that is given twice', () => everyRoute.refusesTwice(context, route))
})

describe.each(name(withMarket))('%s', (_, route) => {
  test('takes standard (the default) or micro as market', () => everyRoute.takesBothMarkets(context, route))
  test('refuses any other market', () => everyRoute.refusesOtherMarkets(context, route))
})

describe.each(name(reads))('%s', (_, route) => {
  test('answers an ETag that still holds without a body', () => everyRoute.answersEtag(context, route))
  test('says when neither index nor chain can be read', () => everyRoute.saysUnreachable(context, route))
})

describe.each(name(posts))('%s', (_, route) => {
  test('refuses a body that is not a JSON object', () => everyRoute.refusesOtherBodies(context, route))
  test('refuses a body that is too large', () => everyRoute.refusesLargeBody(context, route))
  test('refuses another content type than application/json', () => everyRoute.refusesOtherTypes(context, route))
})

describe('posting', () => {
  test('the quota counts the posts of a wallet in a market today', async () => {
    const { client } = context
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
  })

  test('the price preview is that of the chain', async () => {
    const { client } = context
    const { body } = await client.previewPlanPrice({ tier: 'basic' })
    expect(body).toEqual({
      tier: 'basic',
      listPriceUsdc: 9,
      discountedUsd: 7.2,
      tokUsdPrice: 0.0025,
      tokAmount: 2_880,
      tokAllowed: true,
    })
  })

  test('a quote is in the service token', async () => {
    const { client, world } = context
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
      amountUnits: String(parseAmount('2,880', 'tok')),
      asset: world.devnet.deployments.shared.tokToken,
    })
  })

  test('a stranger may ask for the quota of a wallet', async () => {
    const { client } = context
    const stranger = `0x${'ab'.repeat(20)}`
    const [{ body }, { body: checked }] = await Promise.all([
      client.getQuota({ address: stranger }),
      client.checkQuota({ address: stranger }),
    ])
    expect(checked).toEqual(body)
    expect(body.address.toLowerCase()).toBe(stranger)
  })

  test('check returns the quota while posting is allowed', async () => {
    const { client } = context
    const { body } = await client.checkQuota({ address: olga.address, market: 'micro' })
    expect(body).toMatchObject({ tier: 'free', used: 0, limit: 3, canPost: true, market: 'micro' })
  })

  test('a recorded post counts once', async () => {
    const record = await postTask(await createPostingScene(context, 'micro'), newcomer)
    const { body } = await context.client.recordPost(record)
    expect(body).toEqual({ recorded: true, quota: { tier: 'free', used: 1, limit: 3, canPost: true } })
    expect((await context.client.recordPost(record)).body).toEqual(body)
  })

  test('a transaction that is not visible yet does not count', async () => {
    const { post } = context
    const record = { address: olga.address, taskId: 'v2:micro:1', txHash: zeroHash, taskAmountTok: '1' }
    const { status, body, headers } = await post('/api/posting/record', record)
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a transaction of another wallet does not count', async () => {
    const record = await postTask(await createPostingScene(context, 'micro'), newcomer)
    const { status, body } = await context.post('/api/posting/record', { ...record, address: olga.address })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS', field: 'address' } })
  })

  test('a verified payment upgrades the plan', async () => {
    const payment = await payForPlan(await createPostingScene(context, 'standard'), newcomer, 'basic', 'tok')
    const { body } = await context.client.upgradePlan(payment)
    expect(body).toMatchObject({ upgraded: true, tier: 'basic', quota: { tier: 'basic', limit: 25 } })
    const { body: quota } = await context.client.getQuota({ address: newcomer.address })
    expect(quota).toMatchObject({ tier: 'basic', limit: 25, canPost: true })
  })

  test('a payment that is not visible yet upgrades nothing', async () => {
    const { post } = context
    const payment = { address: olga.address, tier: 'basic', txHash: zeroHash, payWith: 'tok' }
    expect(await post('/api/posting/upgrade', payment)).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' } })
  })

  test('a payment for another plan, token or market upgrades nothing', async () => {
    const payment = await payForPlan(await createPostingScene(context, 'standard'), newcomer, 'basic', 'usdc')
    for (const change of [{ tier: 'pro' }, { payWith: 'tok' }, { market: 'micro' }]) {
      const { status, body } = await context.post('/api/posting/upgrade', { ...payment, ...change })
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'TX_CONTRADICTS' } })
    }
  })

  test('check is 429 with the quota when the daily limit is reached', async () => {
    const scene = await createPostingScene(context, 'micro')
    const check = () => context.post('/api/posting/check', { address: newcomer.address, market: 'micro' })
    for (let posts = 0; posts < 3 && (await check()).status === 200; posts++) {
      await context.client.recordPost(await postTask(scene, newcomer))
    }
    const { status, body } = await check()
    expect(status).toBe(429)
    expect(body.error).toMatch(/daily posting limit.* is reached/)
    expect(body.quota).toMatchObject({ tier: 'free', limit: 3, canPost: false })
    expect(body.quota.used).toBeGreaterThanOrEqual(3)
  })

  test('the free plan has three posts a day, by market and wallet', async () => {
    const { client, caughtUp } = context
    await caughtUp()
    const { body } = await client.getQuota({ address: newcomer.address, market: 'micro' })
    expect(body).toMatchObject({ tier: 'free', limit: 3, canPost: false })
    expect((await client.getQuota({ address: olga.address, market: 'micro' })).body.canPost).toBe(true)
    expect((await client.getQuota({ address: newcomer.address, market: 'standard' })).body.canPost).toBe(true)
  })
})

test('every status that the contract documents was answered', () => {
  const documented = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ responses }) => Object.keys(responses).map((status) => `${path} ${status}`)),
  )
  expect(documented.filter((each) => !context.answered.has(each))).toEqual([])
})
