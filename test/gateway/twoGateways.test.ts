import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, type Devnet } from '@svc/devnet'
import { receiptAnswerJson, requestJson } from '@svc/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postOpenTask, startFundedDevnet } from '../harness/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../harness/gatewayProcess.ts'
import { readStoredRequests } from '../harness/readStoredRequests.ts'

let [devnet, folder, gateways]: [Devnet | null, string, GatewayProcess[]] = [null, '', []]
let task = ''
beforeAll(async () => {
  devnet = await startFundedDevnet()
  folder = await mkdtemp(join(tmpdir(), 'two-gateways-'))
  task = await postOpenTask(devnet)
  const shared = {
    SVC_GATEWAY_STATE: join(folder, 'requests.sqlite'),
    SVC_GATEWAY_URL: 'http://gateway.test',
    SVC_RECEIPT_KEY: `0x${'5e'.repeat(32)}`,
  }
  gateways = [await startGatewayProcess(devnet, shared), await startGatewayProcess(devnet, shared)]
})
afterAll(async () => {
  for (const gateway of gateways) await gateway.remove()
  await devnet?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const post = (gateway: GatewayProcess, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const prepare = async (gateway: GatewayProcess) => {
  const input = { market: 'micro', amountUsdc: '1000000' }
  const response = await post(gateway, '/v1/requests', { action: 'top-up', input, from: accounts.hana.address })
  return requestJson.parse(await response.json()).requestId
}
const show = async (gateway: GatewayProcess, id: string, wait = 0) =>
  requestJson.parse(await (await fetch(`${gateway.url}/v1/requests/${id}?wait=${wait}`)).json())

test('two processes that write at once lose nothing, and each shows what the other stored', async () => {
  const rounds = await Promise.all(gateways.flatMap((gateway) => Array.from({ length: 20 }, () => prepare(gateway))))
  expect(new Set(rounds).size).toBe(40)
  expect(new Set(readStoredRequests(join(folder, 'requests.sqlite')).map(({ id }) => id))).toEqual(new Set(rounds))
  for (const gateway of gateways) {
    const found = await Promise.all(rounds.map((id) => show(gateway, id)))
    expect(found.map(({ requestId }) => requestId)).toEqual(rounds)
  }

  // A page of one gateway rejects while a client of the other waits.
  const [first, second] = gateways
  const [id = ''] = rounds
  if (!first || !second) throw new Error('A gateway is missing.')
  const waited = show(second, id, 20)
  expect((await post(first, `/v1/requests/${id}/reject`)).status).toBe(200)
  expect((await waited).status).toBe('rejected')

  // What one answered before it was killed is in the file.
  const writes = Array.from({ length: 10 }, () => prepare(first).catch(() => null))
  await Promise.race(writes)
  await first.kill()
  const answered = (await Promise.all(writes)).filter((each) => each !== null)
  for (const each of answered) expect((await show(second, each)).status).toBe('pending')
  await first.start()
})

test('a receipt opens the same request at both', async () => {
  const [first, second] = gateways
  if (!first || !second) throw new Error('A gateway is missing.')
  const issued = await post(first, '/v1/payment-receipt', { taskId: task, address: accounts.emeka.address })
  const { header } = receiptAnswerJson.parse(await issued.json())
  const claims = [first, second, first, second].map(async (gateway) => {
    const response = await post(gateway, `/v1/tasks/${task}/claim`, undefined, { 'payment-receipt': header.value })
    return requestJson.parse(await response.json()).requestId
  })
  expect(new Set(await Promise.all(claims)).size).toBe(1)
})
