import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createSigningContext, prepareAction, saveDeployments } from '@svc/chain'
import { accounts, createScene, type Devnet, type Person, publicKeys, sendPost, sendTransaction } from '@svc/devnet'
import {
  buildTermsFromDraft,
  formatTaskId,
  formatTermsText,
  parseTermsDraft,
  type TaskId,
  type TermsDocument,
  termsWire,
  toTaskTerms,
} from '@svc/protocol'
import type { TermsDraft } from '@svc/protocol/internal/terms'
import { type SignedStatement, workLimits } from '@svc/protocol/work'
import { listen } from '@svc/serve'
import { type Address, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { type Markets, openMarkets } from '../../apps/tools/src/market.ts'
import { runPrepare } from '../../apps/tools/src/prepare/runPrepare.ts'
import { runVerify } from '../../apps/tools/src/verify/runVerify.ts'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { createMemoryStore } from '../../packages/work/test/memoryStore.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { findProgram } from '../harness/programs.ts'

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

// First, because a delivery is refused once another one is on chain.
test('a delivery that was killed goes on with the same command, without sealing again', async () => {
  const { worker } = parties
  const file = join(folder, 'film.bin')
  await writeFile(file, Buffer.alloc(6_000_000, 7))
  const args = ['deliver', formatTaskId(taskId), file, '--receipt', join(folder, 'receipt.json')]
  let held = 0
  const reached = new Promise<void>((resolve) => {
    // The store takes one part and then hangs.
    store.intercept = ({ method, url }) => {
      if (method !== 'PUT' || !url.includes('/parts/') || ++held === 1) return null
      resolve()
      return new Promise(() => {})
    }
  })
  const server = await listen({
    fetch: store.fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 20,
    onFault: () => {},
  })
  const places = ['--store', `http://127.0.0.1:${server.port}`, '--store-address', accounts.store.address]
  const program = findProgram('apps/tools/src/svc-work.ts')
  const start = () =>
    spawn(process.execPath, [program, ...args, ...places, '--domain', 'market.example', '--json'], {
      env: { ...environment, PRIVATE_KEY: publicKeys[worker] },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const killed = start()
  await reached
  killed.kill('SIGKILL')
  await once(killed, 'close')
  const before = new Set(store.parts.keys())
  const sealed = await listSealed()
  store.intercept = null
  store.requests.length = 0

  const resumed = start()
  let output = ''
  resumed.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(resumed, 'close')
  expect(code, output).toBe(0)
  expect(await listSealed()).toEqual(sealed)
  expect(sealed).toContain(JSON.parse(output).hash)
  // What the store had was not sent again.
  for (const sha256 of before) expect(store.requests.some((each) => each.endsWith(`/parts/${sha256}`))).toBe(false)
  await server.close(100)
})

/** The hashes of what was sealed on this machine. */
async function listSealed(): Promise<string[]> {
  const outbox = join(folder, '.local/state/svc-tools/outbox')
  const names = (await readdir(outbox, { recursive: true })).filter((name) => name.endsWith('descriptor.json'))
  const hashes = []
  for (const name of names) hashes.push(keccak256(await readFile(join(outbox, name))))
  return hashes.sort()
}

test('a worker delivers files, and the poster opens, exports and verifies them', async () => {
  const id = formatTaskId(taskId)
  const file = join(folder, 'map.svg')
  await writeFile(file, '<svg/>')
  const receipt = join(folder, 'receipt.json')
  const deliver = ['deliver', id, file, '--text', 'All done.', '--receipt', receipt, '--json']
  // A poster who never signed in cannot stop a delivery, but the store signs no receipt for what it cannot open.
  const early = await svcWork(parties.worker, ...deliver)
  expect(early, early.output).toMatchObject({ code: 0 })
  expect(JSON.parse(early.output)).toMatchObject({ waiting: [accounts[parties.poster].address], receipt: null })
  expect((await svcWork(parties.poster, 'sign-in', '--statement', join(folder, 'statement.json'))).code).toBe(0)
  const stranger = await svcWork(parties.poster, ...deliver)
  expect(stranger).toMatchObject({ code: 4 })
  expect(stranger.output).toContain('is not the worker')

  const delivered = await svcWork(parties.worker, ...deliver)
  expect(delivered, delivered.output).toMatchObject({ code: 0 })
  expect(delivered.errors).toContain('[####################]')
  const { hash, next, waiting } = JSON.parse(delivered.output)
  expect(waiting).toEqual([])
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

test('a poster with new keys opens old work once the worker grants it', async () => {
  const id = formatTaskId(taskId)
  const { poster, worker } = parties
  const keys = ['--keys', join(folder, 'new-machine')]
  expect((await svcWork(poster, 'sign-in', '--statement', join(folder, 'second.json'), ...keys)).code).toBe(0)
  expect(await svcWork(poster, 'open', id, ...keys)).toMatchObject({ code: 4 })
  const granted = await svcWork(worker, 'grant', id, accounts[poster].address, '--json')
  expect(granted, granted.output).toMatchObject({ code: 0 })
  expect(JSON.parse(granted.output).shared).toMatchObject({ with: [accounts[poster].address], waiting: [], bundles: 1 })
  const opened = await svcWork(poster, 'open', id, ...keys)
  expect(opened.output).toContain('  > All done.')
  const early = await svcWork(worker, 'grant', id, accounts.newcomer.address)
  expect(early.output).toContain(`${accounts.newcomer.address} has not signed in at the store yet`)
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

test('a task with a store is posted and claimed only with a key statement of its poster', async () => {
  const { poster, worker } = parties
  // The last block may be old: a local chain makes none while nobody acts. A statement of now is not from the future.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * workLimits.clockSkew * 1_000 })
  onTestFinished(() => void vi.useRealTimers())
  const file = join(folder, 'statement.json')
  expect((await svcWork(poster, 'sign-in', '--statement', file)).code).toBe(0)
  const statement: SignedStatement = JSON.parse(await readFile(file, 'utf8'))
  const build = (change: Partial<TermsDraft>) =>
    buildTermsFromDraft(
      parseTermsDraft({
        market: taskId.market,
        title: 'Draw a map',
        criteria: 'It shows the harbour.',
        milestones: [{ title: 'Map', amount: '30 TOK', duration: '2 hours' }],
        claimWithin: '12 hours',
        store: 'none',
        ...change,
      }),
      {
        signing: (market) => createSigningContext(devnet.deployments, market),
        poster: accounts[poster].address,
        now: Math.floor(Date.now() / 1000),
        nonce: BigInt(Date.now()),
      },
    )
  const prepare = (document: TermsDocument, domains?: readonly string[]) =>
    prepareAction(markets.providers, markets.places, {
      action: 'post-task',
      input: {
        market: document.market,
        terms: z.encode(termsWire, toTaskTerms(document)),
        text: formatTermsText(document),
        fundAmountTokWei: '0',
      },
      from: accounts[poster].address,
      domains,
    })
  const named = { store: accounts.store.address }
  expect(() => build(named)).toThrow('statement is missing')
  // Terms that no draft of ours made are refused as well.
  await expect(prepare({ ...build({}), ...named })).rejects.toMatchObject({ code: 'STATEMENT_REQUIRED' })
  const stolen = { ...statement, signature: `0x${'11'.repeat(64)}1b` as const }
  await expect(prepare(build({ ...named, statement: stolen }))).rejects.toMatchObject({ code: 'STATEMENT_REQUIRED' })
  const own = build({ ...named, statement })
  await expect(prepare(own, ['other.example'])).rejects.toMatchObject({ code: 'STATEMENT_REQUIRED' })
  const posted = await prepare(own, ['market.example'])
  expect(posted.simulation).toMatchObject({ status: 'succeeds' })

  // The contracts take a task without a statement. Who would claim it is warned.
  const scene = createScene(devnet.client, devnet.deployments, taskId.market)
  const offer = { poster: accounts[poster], text: 'A map\n\nTo scale.', amounts: [10n ** 18n], duration: 7_200 }
  const { id } = await sendPost(scene, { ...offer, store: accounts.store.address }, 0n)
  const claim = async (number: bigint) => {
    const ended = { code: 0, output: '', errors: '' }
    ended.code = await runPrepare(
      ['claim-task', '--task-id', formatTaskId({ ...taskId, number }), '--from', accounts[worker].address, '--dry-run'],
      {
        environment,
        input: new PassThrough(),
        output: { write: (text) => (ended.output += text) },
        errors: { write: (text) => (ended.errors += text) },
        now: Date.now,
      },
    )
    return ended
  }
  const refused = await claim(id)
  expect(refused.code).toBe(4)
  expect(refused.errors).toContain('has no key statement of the poster')
  for (const { to, data } of posted.calls) {
    await sendTransaction(devnet.client, accounts[poster], { to: to as Address, data: data as Hex })
  }
  const accepted = await claim(id + 1n)
  expect(accepted, accepted.errors).toMatchObject({ code: 0 })
})

test('keys are rotated, backed up and restored with a passphrase from a file', async () => {
  const { poster } = parties
  const id = formatTaskId(taskId)
  const passphrase = join(folder, 'passphrase')
  await writeFile(passphrase, 'correct horse battery\n')
  const backup = join(folder, 'keys.age')
  const withPassphrase = ['--passphrase-file', passphrase]
  expect((await svcWork(poster, 'backup', backup, ...withPassphrase)).code).toBe(0)
  expect(await svcWork(poster, 'backup', backup, ...withPassphrase)).toMatchObject({ code: 4 })
  expect((await stat(backup)).mode & 0o777).toBe(0o600)
  // Nothing is asked where nobody can answer.
  expect(await svcWork(poster, 'backup', join(folder, 'other.age'))).toMatchObject({ code: 2 })

  expect((await svcWork(poster, 'rotate', '--statement', join(folder, 'new.json'))).code).toBe(0)
  const statement: SignedStatement = JSON.parse(await readFile(join(folder, 'new.json'), 'utf8'))
  expect(statement.message).toContain('urn:task-market:revoke:0x')
  expect((await svcWork(poster, 'open', id)).code).toBe(0)
  // Another machine has nothing until the backup is restored there.
  const keys = ['--keys', join(folder, 'elsewhere')]
  expect(await svcWork(poster, 'open', id, ...keys)).toMatchObject({ code: 4 })
  expect((await svcWork(poster, 'restore', backup, ...withPassphrase, ...keys)).code).toBe(0)
  const status = await svcWork(poster, 'status', id, '--json', ...keys)
  expect(JSON.parse(status.output).bundles.map((each: { status: string }) => each.status)).toContain('readable')
  await writeFile(passphrase, 'wrong horse battery\n')
  expect(await svcWork(poster, 'restore', backup, ...withPassphrase, ...keys)).toMatchObject({ code: 4 })
})
