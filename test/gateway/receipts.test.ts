import { request as httpRequest } from 'node:http'
import { accounts, sendClaim as claimFirst, createScene, type Devnet } from '@svc/devnet'
import { paymentRequiredJson, receiptAnswerJson, requestJson } from '@svc/operations'
import { formatReceiptHeader, parseReceiptHeader, parseTaskId, type Receipt } from '@svc/protocol'
import { type Hex, hexToBigInt, numberToHex, slice } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postOpenTask, startFundedDevnet, startTestGateway, type TestGateway } from '../harness/gateway.ts'
import { readStoredRequests } from '../harness/readStoredRequests.ts'
import { readTermsByTask } from '../protocol/buildFullInput.ts'
import { startCachingProxy } from './cachingProxy.ts'
import { createHostileCases, type HostileCase } from './hostileReceipts.ts'

const key = generatePrivateKey()
const wallet = accounts.emeka.address

let devnet: Devnet
let gateway: TestGateway
let tasks: { task: string; otherTask: string; otherMarket: string }
beforeAll(async () => {
  devnet = await startFundedDevnet()
  gateway = await startTestGateway(devnet, { receiptKey: key })
  tasks = {
    task: await postOpenTask(devnet),
    otherTask: await postOpenTask(devnet),
    otherMarket: await postOpenTask(devnet, { market: 'micro' }),
  }
})
afterAll(async () => {
  await gateway?.stop()
  await devnet?.stop()
})

async function receiptFor(taskId: string, address: string = wallet, at = gateway): Promise<Receipt> {
  const response = await at.post('/v1/payment-receipt', { taskId, address })
  const { receipt, header } = receiptAnswerJson.parse(await response.json())
  expect(parseReceiptHeader(header.value)).toEqual(receipt)
  return receipt
}

/** Sends headers as given, duplicates included. */
function claim(
  task: string,
  headers: [string, string][],
  port = gateway.port,
): Promise<{ status: number; body: unknown }> {
  return new Promise((done, fail) => {
    const path = `/v1/tasks/${encodeURIComponent(task)}/claim`
    const flat = [['Host', `127.0.0.1:${gateway.port}`], ...headers].flat()
    const call = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers: flat }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => done({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    call.on('error', fail).end()
  })
}

const storedIds = ({ stateFile }: TestGateway) => new Set(readStoredRequests(stateFile).map(({ id }) => id))

describe('hostile receipts', () => {
  let cases: HostileCase[]
  let good: Receipt
  beforeAll(async () => {
    good = await receiptFor(tasks.task)
    cases = await createHostileCases({
      ...tasks,
      baseUrl: gateway.url,
      key,
      wallet,
      good,
      now: Math.floor(Date.now() / 1000),
    })
  })

  test('none of more than 300 gets anything or leaves a trace', async () => {
    expect(cases.length).toBeGreaterThan(300)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    for (let at = 0; at < cases.length; at += 50) {
      await Promise.all(
        cases.slice(at, at + 50).map(async ({ name, task, headers }) => {
          const { status, body } = await claim(task, headers)
          expect([400, 402], name).toContain(status)
          if (status === 402) expect(paymentRequiredJson.parse(body), name).toMatchObject({ code: 'PAYMENT_REQUIRED' })
        }),
      )
    }
    expect(storedIds(gateway).size).toBe(0)
  })

  test('the valid receipt is accepted under both names, in a payment, and with either signature form', async () => {
    const value = formatReceiptHeader(good)
    const payment = { x402Version: 2, accepted: { scheme: 'svc-readiness' }, payload: { receipt: value } }
    // The other form of the same signature: anyone who has one form can compute the other.
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const [r, s, v] = [
      slice(good.signature as Hex, 0, 32),
      slice(good.signature as Hex, 32, 64),
      good.signature.slice(-2),
    ]
    const mirrored = numberToHex(order - hexToBigInt(s), { size: 32 }).slice(2)
    const twin = { ...good, signature: `${r}${mirrored}${v === '1b' ? '1c' : '1b'}` }
    const lower = { ...good, payload: { ...good.payload, payer: good.payload.payer.toLowerCase() } }
    const replies = await Promise.all(
      [
        [['PAYMENT-RECEIPT', value]],
        [['X-PAYMENT-RECEIPT', value]],
        [
          ['PAYMENT-RECEIPT', value],
          ['X-PAYMENT-RECEIPT', value],
        ],
        [['PAYMENT-SIGNATURE', btoa(JSON.stringify(payment))]],
        [['PAYMENT-RECEIPT', formatReceiptHeader(twin as Receipt)]],
        [['PAYMENT-RECEIPT', btoa(JSON.stringify(lower))]],
      ].map((headers) => claim(tasks.task, headers as [string, string][])),
    )
    const ids = replies.map(({ body }) => requestJson.parse(body).requestId)
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(ids).size).toBe(1)
    expect(storedIds(gateway)).toEqual(new Set(ids))
  })
})

test('a thousand concurrent claims with one receipt make one request', async () => {
  const before = storedIds(gateway).size
  const receipt = formatReceiptHeader(await receiptFor(tasks.otherTask, accounts.hana.address))
  const replies = await Promise.all(
    Array.from({ length: 1_000 }, () => claim(tasks.otherTask, [['PAYMENT-RECEIPT', receipt]])),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ body }) => (body as { requestId: string }).requestId)).size).toBe(1)
  expect(storedIds(gateway).size).toBe(before + 1)
})

test('after a restart with a new key a receipt still opens the request it made, and no other', async () => {
  const stateFile = `${gateway.stateFile}.restarted`
  const first = await startTestGateway(devnet, { stateFile })
  const made = await receiptFor(tasks.task, wallet, first)
  const unused = await receiptFor(tasks.otherMarket, wallet, first)
  const header = { 'payment-receipt': formatReceiptHeader(made) }
  const path = `/v1/tasks/${tasks.task}/claim`
  const { requestId } = requestJson.parse(await (await first.post(path, undefined, header)).json())
  await first.stop()
  const second = await startTestGateway(devnet, { port: first.port, stateFile })
  const again = await second.post(path, undefined, header)
  expect(requestJson.parse(await again.json()).requestId).toBe(requestId)
  const forged = { ...made, signature: made.signature.replace(/^0x..../, '0x1234') }
  const refused = await second.post(path, undefined, { 'payment-receipt': formatReceiptHeader(forged) })
  expect(refused.status).toBe(402)
  const orphan = { 'payment-receipt': formatReceiptHeader(unused) }
  expect((await second.post(`/v1/tasks/${tasks.otherMarket}/claim`, undefined, orphan)).status).toBe(402)
  await second.stop()
})

test('a cache in between stores none of it', async () => {
  const proxy = await startCachingProxy(gateway.port)
  const port = Number(new URL(proxy.url).port)
  try {
    const control = async () => (await fetch(`${proxy.url}/control`)).headers.get('x-cache')
    expect([await control(), await control()]).toEqual(['MISS', 'HIT'])
    const receipts = [wallet, accounts.hana.address].map((address) => receiptFor(tasks.otherMarket, address))
    const seen: string[] = []
    for (const receipt of await Promise.all(receipts)) {
      expect((await claim(tasks.otherMarket, [], port)).status).toBe(402)
      const granted = await claim(tasks.otherMarket, [['PAYMENT-RECEIPT', formatReceiptHeader(receipt)]], port)
      expect(granted).toMatchObject({ status: 200, body: { from: receipt.payload.payer } })
      const { requestId } = requestJson.parse(granted.body)
      seen.push(requestId)
      const reject = () => fetch(`${proxy.url}/v1/requests/${requestId}/reject`, { method: 'POST' })
      const show = async () =>
        (await (await fetch(`${proxy.url}/v1/requests/${requestId}`)).json()) as { status: string }
      expect((await show()).status).toBe('pending')
      expect((await reject()).headers.get('x-cache')).toBe('MISS')
      expect((await show()).status).toBe('rejected')
    }
    expect(new Set(seen).size).toBe(2)
    const post = (address: string) =>
      fetch(`${proxy.url}/v1/payment-receipt`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ taskId: tasks.otherMarket, address }),
      })
    for (const address of [wallet, accounts.newcomer.address, wallet]) {
      expect((await post(address)).status).toBe(address === wallet ? 200 : 402)
    }
  } finally {
    await proxy.stop()
  }
})

describe('a receipt is issued to those who can claim', () => {
  const readChecks = async (taskId: string, address: string) => {
    const response = await gateway.post('/v1/payment-receipt', { taskId, address })
    const body = (await response.json()) as { checks?: { name: string; ok: boolean }[] }
    if (response.status === 402) paymentRequiredJson.parse(body)
    return { status: response.status, failing: body.checks?.filter(({ ok }) => !ok).map(({ name }) => name) }
  }

  test('and to nobody else, with every reason', async () => {
    expect(await readChecks(tasks.task, wallet)).toEqual({ status: 200, failing: [] })
    expect(await readChecks(tasks.task, accounts.ada.address)).toMatchObject({
      status: 402,
      failing: expect.arrayContaining(['not-poster', 'simulation']),
    })
    expect(await readChecks(tasks.task, accounts.newcomer.address)).toEqual({
      status: 402,
      failing: ['deposit', 'simulation'],
    })
    const permit = await postOpenTask(devnet, { permitOnly: true })
    expect(await readChecks(permit, wallet)).toEqual({ status: 402, failing: ['claim-policy', 'simulation'] })
  })

  test('readiness is checked again when the claim is made', async () => {
    const task = await postOpenTask(devnet)
    const receipt = await receiptFor(task, accounts.ivo.address)
    const scene = createScene(devnet.client, devnet.deployments, 'standard')
    const { number } = parseTaskId(task)
    const terms = (await readTermsByTask(scene)).get(number)
    if (!terms) throw new Error('no task')
    await claimFirst(scene, { id: number, terms, poster: accounts.ada, worker: null }, accounts.farah)
    const reply = await claim(task, [['PAYMENT-RECEIPT', formatReceiptHeader(receipt)]])
    expect(reply).toMatchObject({ status: 422, body: { code: 'WOULD_REVERT', hint: expect.any(String) } })
    expect(await readChecks(task, wallet)).toMatchObject({
      status: 402,
      failing: expect.arrayContaining(['task-open']),
    })
  })
})
