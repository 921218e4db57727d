import {
  createProviders,
  createRpc,
  createViemChain,
  getMarketDeployment,
  type Providers,
  prepareActionJson,
  type Rpc,
} from '@svc/chain'
import { createScene, multicall3, type Scene } from '@svc/devnet'
import type { ServiceError } from '@svc/operations'
import { actions } from '@svc/protocol/actions'
import postgres, { type Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../apps/api/src/database.ts'
import { addQuota } from '../../apps/api/src/posting/assertQuota.ts'
import { createPosting, type Posting } from '../../apps/api/src/posting/posting.ts'
import { build, type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { fillWithPosters, fundPoster, parseRecordBody, payForPlan, posters, postTask } from '../harness/posters.ts'
import { buildPostInput } from '../harness/postInput.ts'

let world: IndexedWorld
let scene: Scene
let posting: Posting
beforeAll(async () => {
  world = await startIndexedWorld({ fill: fillWithPosters })
  scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  posting = postingWith()
})
afterAll(() => world?.stop())

const [ada, bruno, chiara, devi] = posters

function postingWith(change: { sql?: Sql; providers?: Providers; isNear?: () => boolean } = {}): Posting {
  const { devnet, sql, providers, direct } = world
  return createPosting({ sql, providers, deployments: devnet.deployments, direct, isNear: () => true, ...change })
}

const readQuota = async (address: Address, from = posting) => (await from.quota('standard', address)).quota
const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as ServiceError,
  )

/** Stops the index until it is released. */
async function holdIndex(): Promise<() => Promise<void>> {
  const connection = postgres(world.database.url, { max: 1, onnotice: () => {} })
  await connection`begin`
  await connection`select from ${connection(`index_${build}.cursor`)} for update`
  const letGo = () => connection.end()
  onTestFinished(letGo)
  return letGo
}

/** Rolls back to the snapshot, and mines another branch of `blocks` blocks. */
async function reorganise(snapshot: Hex, blocks: number): Promise<void> {
  await world.devnet.client.revert({ id: snapshot })
  await world.devnet.client.mine({ blocks })
}

/** The raw transaction, to send it again. */
const readRawTransaction = (hash: Hex) =>
  world.devnet.client.request<{ Method: string; Parameters: [Hex]; ReturnType: Hex }>({
    method: 'eth_getRawTransactionByHash',
    params: [hash],
  })

describe('a reorganisation', () => {
  test('removes a recorded post, before and after the index has seen it', async () => {
    for (const seen of [true, false]) {
      const { client } = world.devnet
      const before = (await readQuota(ada.address)).used
      const snapshot = await client.snapshot()
      const letGo = seen ? null : await holdIndex()
      const body = await postTask(scene, ada)
      await posting.record(parseRecordBody(body))
      if (seen) await world.reachedHead()
      expect((await readQuota(ada.address)).used).toBe(before + 1)
      await reorganise(snapshot, 3)
      if (seen) await world.reachedHead()
      expect((await readQuota(ada.address)).used, `index ${seen ? 'at' : 'behind'} the post`).toBe(before)
      expect(await failure(posting.record(parseRecordBody(body)))).toMatchObject({ status: 409 })
      await letGo?.()
      await world.reachedHead()
      expect((await readQuota(ada.address)).used).toBe(before)
      expect((await readQuota(ada.address, postingWith({ isNear: () => false }))).used).toBe(before)
    }
  })

  test('removes a payment until the same transaction is mined again', async () => {
    const { client } = world.devnet
    const snapshot = await client.snapshot()
    const body = await payForPlan(scene, bruno, 'pro', 'usdc')
    const raw = await readRawTransaction(body.txHash)
    const first = await posting.upgrade(body)
    await world.reachedHead()
    expect(await readQuota(bruno.address)).toMatchObject({ tier: 'pro', limit: 200 })
    const byChain = postingWith({ isNear: () => false })
    expect(await readQuota(bruno.address, byChain)).toMatchObject({ tier: 'pro' })

    // Another wallet's payment takes the position of the first one.
    await reorganise(snapshot, 0)
    await payForPlan(scene, chiara, 'pro', 'usdc')
    await client.mine({ blocks: 3 })
    await world.reachedHead()
    expect(await readQuota(bruno.address)).toMatchObject({ tier: 'free', limit: 3 })
    expect(await readQuota(bruno.address, byChain)).toMatchObject({ tier: 'free' })
    expect(await failure(posting.upgrade(body))).toMatchObject({ status: 409, body: { code: 'TX_NOT_FOUND' } })

    // Only a little: in the last seconds of a day the posts below would belong to the next one.
    await client.increaseTime({ seconds: 5 })
    await client.sendRawTransactionSync({ serializedTransaction: raw })
    await world.reachedHead()
    for (const each of [posting, byChain]) expect(await readQuota(bruno.address, each)).toMatchObject({ tier: 'pro' })
    const again = await posting.upgrade(body)
    expect(again.paidUntil).toBeGreaterThan(first.paidUntil + 4)
  })

  test('of a payment that the index has not seen is detected on the chain', async () => {
    const snapshot = await world.devnet.client.snapshot()
    const letGo = await holdIndex()
    await posting.upgrade(await payForPlan(scene, devi, 'basic', 'tok'))
    expect(await readQuota(devi.address)).toMatchObject({ tier: 'basic' })
    await reorganise(snapshot, 4)
    expect(await readQuota(devi.address)).toMatchObject({ tier: 'free' })
    await letGo()
    await world.reachedHead()
  })
})

test('a plan that nobody reports applies in the next block, and no longer after a reorganisation', async () => {
  const { client, deployments } = world.devnet
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fundPoster(client, deployments, wallet)
  for (let i = 0; i < 3; i++) await postTask(scene, wallet)
  await world.reachedHead()
  const free = { tier: 'free', used: 3, limit: 3, canPost: false }
  const basic = { tier: 'basic', used: 3, limit: 25, canPost: true }
  expect(await readQuota(wallet.address)).toEqual(free)
  for (const seen of [false, true]) {
    const snapshot = await client.snapshot()
    const letGo = seen ? null : await holdIndex()
    await payForPlan(scene, wallet, 'basic', 'usdc')
    if (seen) await world.reachedHead()
    expect(await readQuota(wallet.address), `index ${seen ? 'at' : 'behind'} the purchase`).toEqual(basic)
    await reorganise(snapshot, 3)
    if (seen) await world.reachedHead()
    expect(await readQuota(wallet.address)).toEqual(free)
    await letGo?.()
    await world.reachedHead()
    expect(await readQuota(wallet.address)).toEqual(free)
  }
})

test('an index that is behind a record does not hide it', async () => {
  const letGo = await holdIndex()
  for (const used of [1, 2]) {
    await posting.record(parseRecordBody(await postTask(scene, chiara)))
    expect(await readQuota(chiara.address)).toMatchObject({ used })
  }
  await letGo()
  await world.reachedHead()
  expect(await readQuota(chiara.address)).toMatchObject({ used: 2 })
})

test('without an index the chain itself is counted', async () => {
  const byChain = postingWith({ isNear: () => false })
  await postTask(scene, chiara)
  expect(await readQuota(chiara.address, byChain)).toMatchObject({ tier: 'pro', used: 3, canPost: true })
})

test('posts of yesterday do not count, by the clock of the database', async () => {
  await posting.record(parseRecordBody(await postTask(scene, devi)))
  await world.reachedHead()
  expect(await readQuota(devi.address)).toMatchObject({ used: 1 })
  await world.sql`update ${world.sql(`index_${build}.task`)} set state =
    jsonb_set(state::jsonb, '{postedAt}', to_jsonb((state::jsonb->>'postedAt')::bigint - 86400))::text
    where market = 0 and poster = ${Buffer.from(devi.address.slice(2), 'hex')}`
  expect(await readQuota(devi.address)).toMatchObject({ used: 0 })
})

describe('two providers', () => {
  const pair = (tamper: (method: string, answer: unknown) => unknown): Providers => {
    const honest = createRpc({ name: 'honest', url: world.devnet.rpcUrl })
    const faulty: Rpc = {
      name: 'faulty',
      request: async (method, params) => tamper(method, await honest.request(method, params)),
    }
    return createProviders([faulty, honest], createViemChain(8453, multicall3))
  }

  test('must both have a payment: one alone is 409 TX_NOT_FOUND', async () => {
    const body = await payForPlan(scene, chiara, 'basic', 'tok')
    const providers = pair((method, answer) => (method === 'eth_getTransactionReceipt' ? null : answer))
    expect(await failure(postingWith({ providers }).upgrade(body))).toMatchObject({
      status: 409,
      headers: { 'retry-after': '2' },
    })
  })

  test('must agree on what was paid: a forged receipt grants nothing', async () => {
    const body = await payForPlan(scene, chiara, 'basic', 'tok')
    const providers = pair((method, answer) => {
      const { address } = chiara
      const text = JSON.stringify(answer)
      if (method !== 'eth_getTransactionReceipt') return answer
      return JSON.parse(text.replaceAll(address.slice(2).toLowerCase(), ada.address.slice(2).toLowerCase()))
    })
    const forged = postingWith({ providers }).upgrade({ ...body, address: ada.address })
    expect(await failure(forged)).toMatchObject({ status: 409 })
    expect(await readQuota(ada.address)).toMatchObject({ tier: 'free' })
  })

  test('a receipt of a block that is not on the chain does not count', async () => {
    const body = await payForPlan(scene, chiara, 'basic', 'tok')
    const providers = pair((method, answer) =>
      method === 'eth_getBlockByNumber' ? { ...(answer as object), hash: `0x${'12'.repeat(32)}` } : answer,
    )
    const one = { ...providers, all: providers.all.slice(0, 1) }
    expect(await failure(postingWith({ providers: one }).upgrade(body))).toMatchObject({ status: 409 })
  })

  test('are not enough if one is unreachable: 503 CHAIN_UNREACHABLE', async () => {
    const body = await payForPlan(scene, chiara, 'basic', 'tok')
    const providers = createProviders(
      [createRpc({ name: 'gone', url: 'http://127.0.0.1:9' }), createRpc({ name: 'here', url: world.devnet.rpcUrl })],
      createViemChain(8453, multicall3),
    )
    expect(await failure(postingWith({ providers }).upgrade(body))).toMatchObject({
      status: 503,
      body: { code: 'CHAIN_UNREACHABLE' },
      headers: { 'retry-after': '1' },
    })
  })
})

describe('with something away', () => {
  test('an unreachable database is 503 DATABASE_UNREACHABLE, and calls work once it is back', async () => {
    const sql = connectDatabase('postgres://postgres@127.0.0.1:9/none')
    const away = postingWith({ sql })
    const body = await postTask(scene, bruno)
    for (const call of [away.quota('standard', bruno.address), away.record(parseRecordBody(body))]) {
      expect(await failure(call)).toMatchObject({
        status: 503,
        body: { code: 'DATABASE_UNREACHABLE' },
        headers: { 'retry-after': '1' },
      })
    }
    const { providers, devnet } = world
    const prepared = await prepareActionJson(providers, getMarketDeployment(devnet.deployments), {
      action: actions['post-task'],
      input: buildPostInput(devnet.deployments, 'standard', bruno.address),
      from: bruno.address,
    })
    expect(await addQuota(prepared, { posting: away, siteUrl: undefined })).toEqual({
      ...prepared,
      warnings: ['The posting quota could not be checked: it cannot be read now; the contracts decide.'],
    })
    await sql.end({ timeout: 0 })
  })

  test('an unreachable chain is 503 CHAIN_UNREACHABLE; the index alone still counts posts', async () => {
    const body = await postTask(scene, bruno)
    await world.reachedHead()
    const providers = createProviders(
      [createRpc({ name: 'gone', url: 'http://127.0.0.1:9' })],
      createViemChain(8453, multicall3),
    )
    const away = postingWith({ providers })
    expect(await failure(away.record(parseRecordBody(body)))).toMatchObject({
      status: 503,
      body: { code: 'CHAIN_UNREACHABLE' },
    })
    expect(await readQuota(bruno.address, away)).toEqual(await readQuota(bruno.address))
  })

  test('replicas that start together create the tables once', async () => {
    await world.sql`drop schema posting cascade`
    const replicas = Array.from({ length: 6 }, () => postingWith())
    const answers = await Promise.all(replicas.map((each) => readQuota(bruno.address, each)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })
})
