import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createSigningContext, prepareAction, saveDeployments } from '@svc/chain'
import { accounts, type Devnet, type Person, publicKeys, sendTransaction } from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Markets, openMarkets } from '../../apps/tools/src/market.ts'
import { runVerify } from '../../apps/tools/src/verify/runVerify.ts'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { createMemoryStore } from '../../packages/work/test/memoryStore.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'

let devnet: Devnet
let markets: Markets
let folder: string
let taskId: TaskId
let parties: { poster: Person; worker: Person }
let store: ReturnType<typeof createMemoryStore>
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-work-'))
  const world = await startDemoWorld()
  devnet = world.devnet
  markets = openMarkets([devnet.rpcUrl], devnet.deployments)
  await saveDeployments(join(folder, 'deployments.json'), devnet.deployments)
  for (const each of world.tasks) {
    const { detail } = await markets.reader.getTask(each.market, each.taskId)
    if (detail?.task.state !== 'ACTIVE' || detail.task.reviewEnd !== 0) continue
    const [poster, worker] = [findPerson(detail.task.poster), findPerson(detail.task.worker)]
    taskId = { market: each.market, number: each.taskId }
    if (poster && worker) parties = { poster, worker }
  }
  store = createMemoryStore(createSigningContext(devnet.deployments, taskId.market), accounts.store)
  environment = { CHAIN_RPC_URL: devnet.rpcUrl, SVC_DEPLOYMENTS: join(folder, 'deployments.json'), HOME: folder }
})
afterAll(async () => {
  await devnet?.stop()
  await rm(folder, { recursive: true, force: true })
})

const findPerson = (address: string | null) =>
  (Object.keys(accounts) as Person[]).find((person) => accounts[person].address === address)

async function svcWork(person: Person, ...args: string[]) {
  const ended = { code: 0, output: '', errors: '' }
  const to = (name: 'output' | 'errors') =>
    new PassThrough().on('data', (chunk) => {
      ended[name] += chunk
    })
  const options = [
    '--store',
    'http://127.0.0.1:1',
    '--store-address',
    accounts.store.address,
    '--domain',
    'market.example',
  ]
  ended.code = await runWork([...args, ...options], {
    environment: { ...environment, PRIVATE_KEY: publicKeys[person] },
    input: new PassThrough(),
    output: to('output'),
    errors: to('errors'),
    now: () => Math.floor(Date.now() / 1000),
    fetch: store.fetch,
  })
  await new Promise((resolve) => setImmediate(resolve))
  return ended
}

async function svcVerify(...args: string[]) {
  const ended = { code: 0, output: '', errors: '' }
  ended.code = await runVerify(args, {
    environment,
    output: { write: (text) => (ended.output += text) },
    errors: { write: (text) => (ended.errors += text) },
  })
  return ended
}

test('a worker delivers files, and the poster opens, exports and verifies them', async () => {
  const id = formatTaskId(taskId)
  const file = join(folder, 'map.svg')
  await writeFile(file, '<svg/>')
  const receipt = join(folder, 'receipt.json')
  const deliver = ['deliver', id, file, '--text', 'All done.', '--receipt', receipt, '--json']
  const early = await svcWork(parties.worker, ...deliver)
  expect(early).toMatchObject({ code: 4 })
  expect(early.output).toContain('has no valid key statement')
  expect((await svcWork(parties.poster, 'sign-in', id)).code).toBe(0)
  const stranger = await svcWork(parties.poster, ...deliver)
  expect(stranger).toMatchObject({ code: 4 })
  expect(stranger.output).toContain('is not the worker')

  const delivered = await svcWork(parties.worker, ...deliver)
  expect(delivered, delivered.output).toMatchObject({ code: 0 })
  expect(delivered.errors).toContain('[####################]')
  const { hash, next } = JSON.parse(delivered.output)
  expect(next).toContain(`svc-prepare submit-proof --proof-hash ${hash}`)
  const from = accounts[parties.worker]
  const prepared = await prepareAction(markets.providers, markets.places, {
    action: 'submit-proof',
    input: { taskId: id, proofHash: hash },
    from: from.address,
  })
  for (const { to, data } of prepared.calls) {
    await sendTransaction(devnet.client, from, { to: to as Address, data: data as Hex })
  }

  const opened = await svcWork(parties.poster, 'open', id)
  expect(opened, opened.errors).toMatchObject({ code: 0 })
  expect(opened.output).toContain('every byte matches the hash on chain')
  expect(opened.output).toContain('  > All done.')
  const target = join(folder, 'exported')
  expect((await svcWork(parties.poster, 'export', id, target, hash)).code).toBe(0)
  expect(await readFile(join(target, 'files/map.svg'), 'utf8')).toBe('<svg/>')

  const verified = await svcVerify(target)
  expect(verified).toMatchObject({ code: 0, errors: '' })
  expect(verified.output).toContain('has this hash on the chain')
  await writeFile(join(target, 'files/map.svg'), '<SVG/>')
  expect(await svcVerify(target)).toMatchObject({ code: 1 })
})

test('a store that lies or is down is reported, and never shown', async () => {
  const id = formatTaskId(taskId)
  store.intercept = async ({ url }) => (url.includes('/parts/') ? new Response('other bytes') : null)
  const lied = await svcWork(parties.poster, 'open', id)
  expect(lied).toMatchObject({ code: 4, output: '' })
  store.intercept = async () => Response.json({ error: 'broken', code: 'INTERNAL' }, { status: 500 })
  expect(await svcWork(parties.poster, 'open', id)).toMatchObject({ code: 3, output: '' })
  store.intercept = null
  expect(await svcWork(parties.poster, 'open', id, `0x${'ab'.repeat(32)}`)).toMatchObject({ code: 4 })
  expect(await svcWork(parties.poster, 'open', 'v2:micro:0')).toMatchObject({ code: 2 })
})
