import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  accounts,
  sendClaim as claimTask,
  createScene,
  type Devnet,
  type Job,
  type Scene,
  sendPost,
  sendTransaction,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { receiptAnswerJson, requestJson } from '@svc/operations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPrepareRunner, type Preparing } from './preparing.ts'
import { type RealGateway, startRealGateway } from './realGateway.ts'

let devnet: Devnet
let scene: Scene
let preparing: Preparing
let gateway: RealGateway
let claim: string[]
let job: Job
beforeAll(async () => {
  devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  preparing = await createPrepareRunner({ ...devnet, gatewayUrl: 'http://127.0.0.1:3' })
  gateway = await startRealGateway({ ...devnet, folder: preparing.folder })
  preparing.environment.SVC_GATEWAY_URL = gateway.url
})
afterAll(async () => {
  await gateway?.down()
  await preparing?.stop()
  await devnet?.stop()
})
// A task for each test, because a gateway does not support reverting the chain.
beforeEach(async () => {
  const offer = { poster: accounts.bruno, text: 'Draw a map\n\nOf the old harbour.', duration: 172_800 }
  job = await sendPost(scene, { ...offer, amounts: [10n ** 18n] })
  claim = ['claim-task', '--task-id', `v2:standard:${job.id}`, '--from', accounts.emeka.address]
})

const send = async (requestId: string) => {
  const { json } = await preparing.run(['status', requestId, '--no-wait', '--json'])
  for (const { to, data } of json.calls) await sendTransaction(scene.client, accounts.emeka, { to, data })
}
const reject = (requestId: string) => fetch(`${gateway.url}/v1/requests/${requestId}/reject`, { method: 'POST' })

test('an action prints where to approve it, waits, and ends when it is confirmed', async () => {
  const { exit, json, err } = await preparing.run([...claim, '--no-wait', '--json'])
  expect([exit, requestJson.parse(json).status]).toEqual([0, 'pending'])
  expect(json.approvalUrl).toBe(`${gateway.url}/approve/${json.requestId}`)
  expect(err).toContain(json.approvalUrl)
  expect(json.terms.poster).toBe(accounts.bruno.address)

  const following = preparing.run(['status', json.requestId])
  await send(json.requestId)
  const { exit: end, out, err: told } = await following
  expect([end, told]).toEqual([0, 'Waiting for approval.\n'])
  expect(out).toMatch(/Confirmed: .*\n {2}Transaction 0x[0-9a-f]{64}/)
})

test('the command waits by default and shows the preview first', async () => {
  const shown: string[] = []
  const run = preparing.run(claim, {
    onError: (text) => {
      shown.push(text)
      const [requestId] = /req_[A-Za-z0-9_-]{22}/.exec(text) ?? []
      if (requestId && shown.length === 2) void send(requestId)
    },
  })
  const { exit, out } = await run
  expect(exit).toBe(0)
  expect(shown[0]).toContain('Approve it at http')
  expect(out.indexOf('You sign')).toBeLessThan(out.indexOf('Confirmed'))
})

test('the wait survives a restart of the gateway', async () => {
  const { json } = await preparing.run([...claim, '--no-wait', '--json'])
  const following = preparing.run(['status', json.requestId])
  await gateway.down()
  // While it is down, status reports it.
  expect((await preparing.run(['status', json.requestId, '--no-wait', '--json'])).exit).toBe(3)
  await gateway.up()
  await send(json.requestId)
  expect(await following).toMatchObject({ exit: 0, out: expect.stringContaining('Confirmed') })
})

test('a rejected request ends with an error', async () => {
  const { json } = await preparing.run([...claim, '--no-wait', '--json'])
  const following = preparing.run(['status', json.requestId, '--json'])
  expect((await reject(json.requestId)).status).toBe(200)
  expect(await following).toMatchObject({
    exit: 4,
    json: { code: 'REJECTED', exit: 4, request: { status: 'rejected' } },
  })
})

test('a request that is not approved expires, and an interrupted wait can be resumed', async () => {
  const { json } = await preparing.run([...claim, '--no-wait', '--json'])
  const short = await preparing.run(['status', json.requestId, '--timeout', '1', '--json'])
  expect(short).toMatchObject({ exit: 5, json: { code: 'TIMED_OUT', hint: expect.stringContaining(json.requestId) } })
  gateway.later(20 * 60_000)
  expect(await preparing.run(['status', json.requestId, '--json'])).toMatchObject({
    exit: 5,
    json: { code: 'EXPIRED' },
  })
})

test('a reverted transaction ends with an error', async () => {
  const { json } = await preparing.run([...claim, '--no-wait', '--json'])
  await claimTask(scene, job, accounts.farah)
  const [call] = json.calls
  const hash = await scene.client.sendTransaction({
    account: accounts.emeka,
    ...call,
    value: 0n,
    gas: 500_000n,
    chain: null,
  })
  const told = { account: accounts.emeka.address, transactionHashes: [hash] }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${gateway.url}/v1/requests/${json.requestId}/submitted`, {
    method: 'POST',
    headers,
    body: JSON.stringify(told),
  })
  expect(await preparing.run(['status', json.requestId, '--json'])).toMatchObject({
    exit: 4,
    json: { code: 'REVERTED' },
  })
})

test('an interrupted response is reported as such, without raw calls', async () => {
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const env = { SVC_GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  expect(await preparing.run([...claim, '--json'], { env })).toMatchObject({
    exit: 3,
    json: { code: 'GATEWAY_UNREACHABLE', hint: expect.stringContaining('Check the gateway') },
  })
  server.close()
})

test('an unknown request and one that would revert end with errors', async () => {
  expect(await preparing.run(['status', `req_${'x'.repeat(22)}`, '--json'])).toMatchObject({
    exit: 4,
    json: { code: 'REQUEST_NOT_FOUND' },
  })
  const own = [...claim.slice(0, -1), accounts.bruno.address, '--json']
  expect(await preparing.run(own)).toMatchObject({ exit: 4, json: { code: 'WOULD_REVERT' } })
})

test('a ready wallet gets a receipt, another one gets what is missing', async () => {
  const ready = ['prepare-receipt', ...claim.slice(1)]
  const { exit, json } = await preparing.run([...ready, '--json'])
  expect(exit).toBe(0)
  expect(receiptAnswerJson.parse(json).header.name).toBe('PAYMENT-RECEIPT')
  expect((await preparing.run(ready)).out).toContain(`PAYMENT-RECEIPT: ${json.header.value.slice(0, 20)}`)
  const poor = await preparing.run([...ready.slice(0, -1), accounts.keeper.address, '--json'])
  expect(poor).toMatchObject({ exit: 4, json: { code: 'NOT_READY', checks: expect.any(Array) } })
  const told = await preparing.run([...ready.slice(0, -1), accounts.keeper.address])
  expect(told.err).toMatch(/ {2}fail {2}\S.*needed: /)
})

test('a dry run creates no request', async () => {
  const { exit, out } = await preparing.run([...claim, '--dry-run'])
  expect(exit).toBe(0)
  expect(out).not.toContain('/approve/')
})

test('a gateway that prepares something else or returns garbage is not trusted', async () => {
  const { json: genuine } = await preparing.run([...claim, '--no-wait', '--json'])
  const answers: [body: string, exit: number, code: string][] = [
    [JSON.stringify({ ...genuine, calls: [{ ...genuine.calls[0], data: '0xdeadbeef' }] }), 4, 'GATEWAY_DIFFERS'],
    [JSON.stringify({ ...genuine, from: accounts.bruno.address }), 4, 'GATEWAY_DIFFERS'],
    ['<html>', 3, 'GATEWAY_UNREADABLE'],
    ['{}', 3, 'GATEWAY_UNREADABLE'],
    ['x'.repeat(2_000_000), 3, 'GATEWAY_UNREADABLE'],
  ]
  for (const [body, exit, code] of answers) {
    const fake = await startFake(body)
    const env = { SVC_GATEWAY_URL: `http://127.0.0.1:${(fake.address() as AddressInfo).port}` }
    expect(await preparing.run([...claim, '--json'], { env })).toMatchObject({ exit, json: { code } })
    fake.close()
    fake.closeAllConnections()
  }
})

/** Starts a fake gateway that always returns the same body. */
function startFake(body: string): Promise<Server> {
  const server = createServer((_, response) => response.end(body))
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}
