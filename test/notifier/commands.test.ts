import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { accounts, createScene, publicKeys, sendClaim, sendPost } from '@svc/devnet'
import { type Listening, listen } from '@svc/serve'
import { connectNotifier, ensureKeys } from '@svc/work'
import { Webhook } from 'standardwebhooks'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { readInbox as readInboxTool } from '../../apps/tools/src/tools/read_inbox.ts'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { createToolWork } from '../../apps/tools/src/work/toolWork.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { runTool } from '../harness/runTool.ts'
import { type Service, startService } from '../harness/service.ts'
import { createMemoryKeyStore, createSignInOptions, getNow } from '../store/devices.ts'
import { type Receivers, startNotifierProcess, startReceivers } from './notifierProcess.ts'

const { bruno, emeka } = accounts
let world: IndexedWorld
let service: Service
let api: Listening
let receivers: Receivers
let notifier: Awaited<ReturnType<typeof startNotifierProcess>>

beforeAll(async () => {
  ;[world, receivers] = await Promise.all([startIndexedWorld(), startReceivers()])
  const port = await findFreePort()
  service = await startService(world, { notifierUrl: `http://127.0.0.1:${port}` })
  const { fetch } = service.app
  api = await listen({ fetch, port: 0, hostname: '127.0.0.1', maxConnections: 100, onFault: console.error })
  notifier = await startNotifierProcess(world, { port, siteUrl: `http://127.0.0.1:${api.port}`, receivers })
})
afterAll(async () => {
  await notifier?.stop()
  await api?.close(1_000)
  await service?.stop()
  await receivers?.stop()
  await world?.stop()
})

const getEnvironment = () => ({
  PRIVATE_KEY: publicKeys.bruno,
  SVC_API_URL: `http://127.0.0.1:${api.port}`,
  CHAIN_RPC_URL: world.devnet.rpcUrl,
  HOME: notifier.folder,
})

/** Runs a command as a process. It must succeed; returns what it printed. */
async function start(...args: string[]) {
  const { code, output, errors } = await runTool('svc-work', [...args, '--json'], getEnvironment())
  expect(code, `${output}${errors}`).toBe(0)
  return JSON.parse(output)
}

/** Runs a command in this process: a process for each of them would take long. */
async function run(...args: string[]) {
  const ended = { code: 0, output: '', errors: '' }
  const to = (name: 'output' | 'errors') => new PassThrough().on('data', (chunk) => (ended[name] += chunk))
  ended.code = await runWork(args, {
    environment: getEnvironment(),
    input: new PassThrough(),
    output: to('output'),
    errors: to('errors'),
    now: () => Math.floor(Date.now() / 1_000),
  })
  await new Promise((resolve) => setImmediate(resolve))
  return ended
}

/** Calls `svc_read_inbox` as an agent does. */
async function readInbox(input: { since?: string }) {
  const { devnet } = world
  const markets = openMarkets([devnet.rpcUrl], devnet.deployments)
  const env = { SVC_API_URL: `http://127.0.0.1:${api.port}`, SVC_STORE_URL: undefined, SVC_WORK_FOLDER: undefined }
  const work = createToolWork(markets, env, join(notifier.folder, '.local/state/svc-tools'))
  const deps = createToolDeps(markets, 'http://127.0.0.1:9', undefined, work)
  const answer = await callTool(readInboxTool, { address: bruno.address, ...input }, deps, (error) => {
    throw error
  })
  const [content] = answer.content
  const text = content?.type === 'text' ? content.text : ''
  expect(answer.isError, text).toBeFalsy()
  return JSON.parse(text)
}

test('svc-work adds, tests and removes channels, and both it and the tool server read the inbox', async () => {
  const { hook, mail } = receivers
  expect((await run('channels')).output).toBe('Only to your inbox.\n')
  const { id, secret } = await start('add-webhook', `${hook.origin}/hook`)
  // It can follow a command: one of 64 ids began with a hyphen, and was read as an option.
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(await start('test-channel', id)).toEqual({ sent: true, problem: null })
  const tested = await hook.waitFor(({ body }) => JSON.parse(body.toString()).type === 'test')
  new Webhook(secret).verify(tested.body, tested.headers as Record<string, string>)

  const added = await start('add-email', 'bruno@example.org', '--near-deadline')
  expect(added.status).toBe('unverified')
  await mail.waitFor(({ to }) => to.includes('bruno@example.org'))
  expect((await run('test-channel', added.id)).output).toBe('Not sent: The address is not confirmed yet.\n')
  expect((await start('channels')).subscriptions).toMatchObject([
    { id, channel: 'webhook', status: 'active', isSecond: false },
    { id: added.id, channel: 'email', target: 'b…@example.org', status: 'unverified', isSecond: true },
  ])

  const scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  const offer = { poster: bruno, amounts: [5n * 10n ** 21n], duration: 172_800 }
  const job = await sendPost(scene, { ...offer, text: 'Tune the organ\n\nAll pipes.' })
  await sendClaim(scene, job, emeka)
  const claimed = await hook.waitFor(({ body }) => JSON.parse(body.toString()).type === 'claimed')
  const { data } = JSON.parse(claimed.body.toString())
  // The tool server uses the keys that svc-work made on this machine.
  const { notifications: polled, cursor } = await readInbox({})
  expect(polled).toMatchObject([{ id: data.id, kind: 'claimed', untrustedTitle: data.title, acknowledged: false }])
  expect((await readInbox({ since: cursor })).notifications).toEqual([])
  const [first] = (await start('inbox', '--unread')).notifications
  expect(first).toMatchObject({ id: data.id, kind: 'claimed', acknowledged: false })
  expect((await run('inbox', '--mark-read')).output).toContain(`* ${data.title}\n    ${data.text}\n    ${data.url}\n`)
  expect((await run('inbox', '--unread')).output).toBe('No notifications.\n')
  expect((await run('inbox')).output).toContain(`  ${data.title}\n`)

  expect(await start('remove-channel', id)).toEqual({ removed: true })
  const again = await run('remove-channel', id)
  expect(again).toMatchObject({ code: 4, output: '' })
  expect(again.errors).toBe(`The notifier: This wallet has no subscription ${id}.\n`)
  expect(await run('add-webhook', 'http://127.0.0.1:1/hook')).toMatchObject({ code: 4, output: '' })
  expect((await run('remove-channel')).output).toBe('Removed 1.\n')
  expect((await run('channels')).output).toBe('Only to your inbox.\n')
})

/** Signs a wallet in on a device of its own. */
async function connect(account: LocalAccount) {
  const baseUrl = `http://127.0.0.1:${api.port}`
  const keys = await ensureKeys({
    ...createSignInOptions(account, createMemoryKeyStore(), 8453),
    domain: new URL(baseUrl).host,
  })
  return connectNotifier({ baseUrl, keys, now: getNow })
}

test('svc-work publishes the profile of a wallet and removes it', async () => {
  const file = join(notifier.folder, 'profile.json')
  await writeFile(file, JSON.stringify({ displayName: 'Bruno', skills: ['maps'], languages: ['pt'] }))
  expect((await run('publish-profile', file)).output).toBe('Published.\n')
  const read = async () =>
    (await fetch(`http://127.0.0.1:${api.port}/api/wallet/profile?address=${bruno.address}`)).json()
  expect(await read()).toMatchObject({ selfDeclared: { profile: { displayName: 'Bruno', skills: ['maps'] } } })
  await writeFile(file, JSON.stringify({ displayName: 'Bruno', skills: ['Maps and more!'] }))
  expect(await run('publish-profile', file)).toMatchObject({ code: 2, output: '' })
  // The newest statement counts, by the second in which it was signed.
  await expect.poll(async () => (await run('publish-profile')).output).toBe('Removed.\n')
  expect(await read()).toMatchObject({ selfDeclared: null })
})

test('svc-work saves searches and prints the address of the calendar', async () => {
  const saved = await run('save-search', 'Logos', 'market=micro&q=logo')
  const [, id = ''] = /^Saved (\S+)\.\n$/.exec(saved.output) ?? []
  expect((await run('searches')).output).toBe(`${id}  Logos  market=micro&q=logo\n`)
  expect(await run('save-search', 'Wrong', 'colour=red')).toMatchObject({ code: 4, output: '' })
  expect((await run('remove-search', id)).output).toBe('Removed.\n')
  expect((await run('searches')).output).toBe('No saved searches.\n')
  expect((await run('calendar')).output).toMatch(/^http:\S+\/notify\/v1\/calendar\/[\w-]{32}\n$/)
})

test('saved searches find a new task, and a calendar has the deadlines that run', async () => {
  const [poster, worker] = await Promise.all([connect(bruno), connect(emeka)])
  for (const each of [poster, worker]) await each.saveSearch({ name: 'Organs', search: 'market=standard&q=organs' })
  await worker.saveSearch({ name: 'Pianos', search: 'q=piano&minPayTokWei=1' })
  await worker.saveSearch({ name: 'Rich organs', search: 'q=organ&minPayTokWei=9000000000000000000000' })
  await worker.saveSearch({ name: 'Tagged', search: 'tags=music&funded=true' })
  for (const search of ['q=organ&colour=red', 'market=other', 'sort=relevance']) {
    await expect(worker.saveSearch({ name: 'Wrong', search })).rejects.toMatchObject({ status: 400 })
  }
  const { url } = (await poster.createCalendar({})).body
  expect(await (await fetch(url)).text()).toContain('BEGIN:VCALENDAR')

  const scene = createScene(world.devnet.client, world.devnet.deployments, 'standard')
  const offer = { poster: bruno, amounts: [5n * 10n ** 21n], duration: 172_800 }
  const job = await sendPost(scene, { ...offer, text: 'Restore an organ\n\nOf oak.' })
  const taskId = `v2:standard:${job.id}`
  const listMatches = async (of: typeof worker) => {
    const { notifications } = (await of.listNotifications({})).body
    return notifications.filter(({ kind }) => kind === 'search-matched')
  }
  await expect.poll(() => listMatches(worker), { timeout: 20_000 }).toHaveLength(1)
  expect(await listMatches(worker)).toMatchObject([
    {
      taskId,
      title: 'A new task fits your search "Organs"',
      text: '"Restore an organ" pays 5,000 TOK.',
      isCorrected: false,
    },
  ])
  await sendClaim(scene, job, emeka)
  await expect
    .poll(async () => (await (await fetch(url)).text()).replaceAll('\r\n ', ''), { timeout: 20_000 })
    .toContain(`SUMMARY:"Restore an organ": Lock the pay and start the work by `)
  // Once, although the task has had further events, and never for one's own task.
  expect([(await listMatches(worker)).length, (await listMatches(poster)).length]).toEqual([1, 0])

  const { searches } = (await worker.listSearches({})).body
  expect(searches.map(({ name, search }) => [name, search])[0]).toEqual(['Organs', 'market=standard&q=organs'])
  for (const { id } of searches) expect((await poster.removeSearch({ id })).body.removed).toBe(false)
  for (let more = searches.length; more < 10; more++) await worker.saveSearch({ name: `${more}`, search: '' })
  await expect(worker.saveSearch({ name: 'One more', search: '' })).rejects.toMatchObject({ code: 'TOO_MANY_SEARCHES' })
  for (const { id } of (await worker.listSearches({})).body.searches) {
    expect((await worker.removeSearch({ id })).body.removed).toBe(true)
  }
  expect((await poster.removeCalendar({})).body.removed).toBe(true)
  expect((await fetch(url)).status).toBe(404)
})
