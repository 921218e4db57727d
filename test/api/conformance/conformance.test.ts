// The API over a devnet with the demo world and a real index. One file, because its tests share one world. Posting comes last:
// it changes the world that the other tests compare with its scenarios.
import { accounts, createScene, sendApprovals, sendTopUp } from '@svc/devnet'
import { apiRoutes, describeInputFields, type Route } from '@svc/operations'
import { formatTaskId, type Market, parseAmount, parseTaskId } from '@svc/protocol'
import { zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../apps/api/src/contract/openapi.ts'
import { payForPlan, postTask } from '../../harness/posters.ts'
import { buildPostInput } from '../../harness/postInput.ts'
import { startForTests } from '../../harness/startForTests.ts'
import * as everyRoute from './everyRoute.ts'
import { type ProofContext, startProofContext } from './proofContext.ts'

const { ada, newcomer, olga } = accounts
const { address } = ada
const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const missing = 'v2:standard:99999'
const path = '/api/role-chat'
const question = { system: 'You are a guide.', messages: [{ role: 'user', content: 'What is a task?' }] }

const context = startForTests(startProofContext, 'stop')

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

  test('a task that does not exist and its steps are 404', async () => {
    const { send } = context
    expect((await send(`/api/market/task?id=${missing}`)).status).toBe(404)
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
  test('a post or a payment that is not visible yet, or contradicts the request, is refused', async () => {
    const [post, payment] = ['/api/posting/record', '/api/posting/upgrade']
    const given = { address: olga.address, txHash: zeroHash }
    const unseen = { ...given, taskId: 'v2:micro:1', taskAmountTok: '1' }
    const { status, headers } = await context.post(post, unseen)
    expect(status).toBe(409)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await context.post(payment, { ...given, tier: 'basic', payWith: 'tok' })).status).toBe(409)
    const record = await postTask(await createPostingScene(context, 'micro'), newcomer)
    expect((await context.post(post, { ...record, address: olga.address })).status).toBe(422)
    const paid = await payForPlan(await createPostingScene(context, 'standard'), newcomer, 'basic', 'usdc')
    expect((await context.post(payment, { ...paid, tier: 'pro' })).status).toBe(422)
  })

  test('a recorded post counts once, and check is 429 when the daily limit is reached', async () => {
    const scene = await createPostingScene(context, 'micro')
    // The post of the test before was not recorded: it counts once the index has it.
    await context.caughtUp()
    const check = () => context.post('/api/posting/check', { address: newcomer.address, market: 'micro' })
    for (let posts = 0; posts < 3 && (await check()).status === 200; posts++) {
      const record = await postTask(scene, newcomer)
      const { body } = await context.client.recordPost(record)
      expect((await context.client.recordPost(record)).body).toEqual(body)
    }
    expect((await check()).status).toBe(429)
  })
})

test('every status that the contract documents was answered', () => {
  const documented = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ responses }) => Object.keys(responses).map((status) => `${path} ${status}`)),
  )
  expect(documented.filter((each) => !context.answered.has(each))).toEqual([])
})
