import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createScene, type Scene, sendTransaction } from '@svc/devnet'
import { marketNumber, toBytes } from '@svc/index'
import { actions } from '@svc/protocol/actions'
import { type Listening, listen } from '@svc/serve'
import type { Address, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serveHttp } from '../../apps/tools/src/http.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { listActionFields } from '../../apps/tools/src/prepare/listActionFields.ts'
import { createToolServer } from '../../apps/tools/src/server.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { connect, createCaller } from '../../apps/tools/test/connect.ts'
import { startTestGateway, type TestGateway } from '../harness/gateway.ts'
import { fillWithPosters, fundPoster, payForPlan, postTask } from '../harness/posters.ts'
import { buildPostInput } from '../harness/postInput.ts'
import { type ServedWorld, startServedWorld } from '../harness/served.ts'
import { buildArgv, createPrepareRunner, type Preparing } from './preparing.ts'

const market = 'micro'
const deadUrl = 'http://127.0.0.1:9'

let served: ServedWorld
let api: Listening
let apiUrl: string
let gateway: TestGateway
/** A gateway that does not know the API. */
let lonely: TestGateway
let preparing: Preparing
let scene: Scene
beforeAll(async () => {
  served = await startServedWorld({ fill: fillWithPosters })
  const { devnet } = served.world
  api = await listen({
    fetch: served.service.app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 100,
    onFault: console.error,
  })
  apiUrl = `http://127.0.0.1:${api.port}`
  gateway = await startTestGateway(devnet, { apiUrl })
  lonely = await startTestGateway(devnet)
  preparing = await createPrepareRunner({ ...devnet, gatewayUrl: gateway.url })
  scene = createScene(devnet.client, devnet.deployments, market)
})
afterAll(async () => {
  await preparing?.stop()
  await gateway?.stop()
  await lonely?.stop()
  await api?.close(0)
  await served?.stop()
})

/** A wallet that can post, and has posted a number of tasks directly on chain. */
async function createPoster(posts: number): Promise<LocalAccount> {
  const { client, deployments } = served.world.devnet
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fundPoster(client, deployments, wallet)
  for (let i = 0; i < posts; i++) await postTask(scene, wallet)
  await served.service.caughtUp()
  return wallet
}

const buildInput = (from: Address) => buildPostInput(served.world.devnet.deployments, market, from)

async function svcPrepareOnce(from: Address, env: Record<string, string>, ...flags: string[]) {
  const argv = await buildArgv(listActionFields(actions['post-task']), buildInput(from), preparing.file, true)
  return preparing.run(['post-task', ...argv, '--from', from, ...flags], { env })
}
const svcPrepare = (...given: Parameters<typeof svcPrepareOnce>) => untilAnswered(() => svcPrepareOnce(...given))

const request = (from: Address, at = gateway) =>
  untilAnswered(async () => {
    const response = await at.post('/v1/requests', { action: 'post-task', input: buildInput(from), from })
    // biome-ignore lint/suspicious/noExplicitAny: checked field by field
    return { status: response.status, body: (await response.json()) as any }
  })

/** Serves the tools, connects an MCP client, and returns a function that prepares a post with svc_prepare. */
async function connectTools(apiUrl?: string) {
  const { rpcUrl, deployments } = served.world.devnet
  const deps = createToolDeps(openMarkets([rpcUrl], deployments), gateway.url, apiUrl)
  const onError = console.error
  const { port, close } = await serveHttp(() => createToolServer(deps, onError), { port: 0, onError })
  const client = await connect(new URL(`http://127.0.0.1:${port}/mcp`), 'auto')
  onTestFinished(async () => {
    await client.close()
    await close(0)
  })
  return (wallet: Address) =>
    untilAnswered(async () => {
      const args = { action: 'post-task', input: buildInput(wallet), address: wallet }
      const { isError, content } = await createCaller(client).call('svc_prepare', args)
      // biome-ignore lint/suspicious/noExplicitAny: checked field by field
      return { isError, body: JSON.parse(content[0]?.text ?? '') as any }
    })
}

/** Asks again if the API was too slow for the check, as on a busy machine. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 10; tries++) {
    const answer = await ask()
    if (!JSON.stringify(answer).includes('did not answer within 2 s')) return answer
  }
  return ask()
}

async function check(address: Address) {
  const response = await fetch(`${apiUrl}/api/posting/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, market }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: checked field by field
  return (await response.json()) as any
}

const send = async (wallet: LocalAccount, calls: readonly { to: Address; data: `0x${string}` }[]) => {
  for (const { to, data } of calls) await sendTransaction(scene.client, wallet, { to, data })
}

/** Waits until somebody has recorded a post of the wallet. */
const waitForRecord = ({ address }: LocalAccount) =>
  vi.waitFor(
    async () => {
      const rows = await served.world.sql`select from posting.post
        where market = ${marketNumber(market)} and poster = ${toBytes(address)}`
      expect(rows).toHaveLength(1)
    },
    { timeout: 20_000, interval: 100 },
  )

test('a post shows the quota before it is signed', async () => {
  const { address } = await createPoster(2)
  const env = { SVC_API_URL: apiUrl }
  const { exit, out } = await svcPrepare(address, env, '--dry-run')
  expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining('2 of 3 posts used today') })
  const quota = { tier: 'free', used: 2, limit: 3, canPost: true }
  expect((await svcPrepare(address, env, '--dry-run', '--json')).json.quota).toEqual(quota)
  const { body } = await request(address)
  expect(body.quota).toEqual(quota)
  const page = await (await gateway.fetch(`/approve/${body.requestId}`)).text()
  expect(page).toContain('2 of 3 posts used today')
})

test('at the limit, API, gateway, svc-prepare and svc_prepare refuse with the same words, until a plan is bought elsewhere', async () => {
  const wallet = await createPoster(3)
  const { address } = wallet
  const { error, hint, quota, code, plansUrl } = await check(address)
  expect(error).toBe('The daily posting limit is reached: 3 of 3 posts used today on the free plan.')
  expect(hint).toContain('https://market.example/plans?market=micro')
  expect(hint).toContain(`svc-prepare buy-plan --market micro --tier basic --pay-with usdc --from ${address}`)
  const refusal = { error, hint, quota, code, plansUrl }
  expect(await request(address)).toMatchObject({ status: 429, body: refusal })
  const env = { SVC_API_URL: apiUrl }
  expect(await svcPrepare(address, env, '--json')).toMatchObject({ exit: 4, json: refusal })
  const { exit, err } = await svcPrepare(address, env)
  expect([exit, err]).toEqual([4, `${error}\n${hint}\n`])
  // Without the API, the gateway that the request goes to refuses it.
  expect(await svcPrepare(address, {}, '--json')).toMatchObject({ exit: 4, json: refusal })
  const [prepareWithTool, prepareWithoutApi] = await Promise.all([connectTools(apiUrl), connectTools()])
  for (const prepare of [prepareWithTool, prepareWithoutApi]) {
    // A model may have no shell: its way out is another call of the same tool.
    const nextStep = expect.stringContaining(
      'svc_prepare with action buy-plan and input {market, tier: "basic", payWith: "usdc"}',
    )
    expect(await prepare(address)).toMatchObject({ isError: true, body: { error, code, nextStep } })
  }

  await payForPlan(scene, wallet, 'basic', 'usdc')
  const larger = { tier: 'basic', used: 3, limit: 25, canPost: true }
  expect(await check(address)).toMatchObject(larger)
  expect(await request(address)).toMatchObject({ status: 200, body: { quota: larger } })
  expect(await svcPrepare(address, env, '--dry-run', '--json')).toMatchObject({ exit: 0, json: { quota: larger } })
  const { body } = await prepareWithTool(address)
  expect(body).toMatchObject({
    ready: true,
    quota: larger,
    summary: expect.stringContaining('3 of 25 posts used today'),
  })
})

test('without the API, a post is prepared with a warning', async () => {
  const { address } = await createPoster(3)
  const hanging = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => {
    hanging.closeAllConnections()
    hanging.close()
  })
  await once(hanging, 'listening')
  const hangingUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  for (const [url, reason] of [
    ['', 'SVC_API_URL is not set'],
    [deadUrl, 'the API cannot be reached'],
    [`${apiUrl}/nothing`, 'the API answered with status 404'],
    [hangingUrl, 'the API did not answer within 2 s'],
  ] as const) {
    const warning = `The posting quota could not be checked: ${reason}; the contracts decide.`
    const { exit, json } = await svcPrepareOnce(address, { SVC_API_URL: url }, '--dry-run', '--json')
    expect([exit, json.warnings]).toEqual([0, [warning]])
    expect(json.calls.length).toBeGreaterThan(0)
  }
  const { status, body } = await request(address, lonely)
  expect([status, body.warnings]).toEqual([
    200,
    ['The posting quota could not be checked: SVC_API_URL is not set; the contracts decide.'],
  ])
  expect(await (await lonely.fetch(`/approve/${body.requestId}`)).text()).toContain(body.warnings[0])
})

test('the gateway records a post when it is confirmed', async () => {
  const wallet = await createPoster(0)
  const { body } = await request(wallet.address)
  await send(wallet, body.calls)
  await waitForRecord(wallet)
})

test('svc-prepare records a post that it waited for', async () => {
  const wallet = await createPoster(0)
  const env = { SVC_API_URL: apiUrl, SVC_GATEWAY_URL: lonely.url }
  const { json } = await svcPrepare(wallet.address, env, '--no-wait', '--json')
  // The gateway could not check the quota, but svc-prepare could.
  expect([json.quota.used, json.warnings]).toEqual([0, undefined])
  await send(wallet, json.calls)
  const { exit } = await preparing.run(['status', json.requestId, '--json'], { env })
  expect(exit).toBe(0)
  await waitForRecord(wallet)
})
