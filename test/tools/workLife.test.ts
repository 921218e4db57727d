import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningContext, prepareAction } from '@svc/chain'
import {
  accounts,
  advanceTimeTo,
  agreeOnJudge,
  type Devnet,
  type Person,
  type Scene,
  sendActivation,
  sendClaim,
  sendPost,
  sendTransaction,
} from '@svc/devnet'
import {
  buildTermsFromDraft,
  formatTaskId,
  formatTermsText,
  parseTaskId,
  parseTermsDraft,
  termsWire,
  toTaskTerms,
} from '@svc/protocol'
import type { ActionName, PrepareInput } from '@svc/protocol/actions'
import type { BriefFile } from '@svc/protocol/internal/work'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Markets, openMarkets } from '../../apps/tools/src/market.ts'
import type { TestStore } from '../harness/storeApp.ts'
import { type ChainStore, startChainStore } from '../store/chainStore.ts'
import { createCommandSurface, createToolSurface, type SurfacePlaces, type WorkSurface } from './workSurfaces.ts'

const market = 'micro'
let world: ChainStore
let devnet: Devnet
let scene: Scene
let markets: Markets
let service: TestStore
let places: SurfacePlaces

beforeAll(async () => {
  world = await startChainStore()
  ;({ devnet, scene, service } = world)
  await advanceTimeTo(devnet.client, Math.floor(Date.now() / 1000))
  markets = openMarkets([devnet.rpcUrl], devnet.deployments)
  const environment = { CHAIN_RPC_URL: devnet.rpcUrl, SVC_DEPLOYMENTS: world.deploymentsFile }
  places = { markets, storeUrl: service.url, folder: world.folder, environment }
})
afterAll(() => world?.stop())

/** Prepares an action and signs it, as the wallet of a person. */
async function act<Name extends ActionName>(person: Person, action: Name, input: PrepareInput<Name>): Promise<void> {
  const from = accounts[person]
  const prepared = await prepareAction(markets.providers, markets.places, { action, input, from: from.address })
  expect(prepared.simulation, JSON.stringify(prepared.simulation)).toMatchObject({ status: 'succeeds' })
  for (const { to, data } of prepared.calls) {
    await sendTransaction(devnet.client, from, { to: to as Address, data: data as Hex })
  }
}

/** Posts a task with the store and the poster's statement; the worker claims it, and the poster starts it. */
async function startTask(surface: WorkSurface): Promise<string> {
  const taskId = await postTask(surface)
  await beginWork(taskId)
  await surface.signIn('emeka')
  return taskId
}

async function postTask(surface: WorkSurface, files?: readonly BriefFile[]): Promise<string> {
  const statement = await surface.signIn('ada')
  const document = buildTermsFromDraft(
    parseTermsDraft({
      market,
      title: 'Caption a film',
      criteria: 'One .srt file, and notes.',
      milestones: [{ title: 'Captions', amount: '30 TOK', duration: '2 hours' }],
      claimWithin: '12 hours',
      store: accounts.store.address,
      statement,
      ...(files && { files }),
    }),
    {
      signing: (each) => createSigningContext(devnet.deployments, each),
      poster: accounts.ada.address,
      now: (await markets.reader.head()).timestamp,
      nonce: BigInt(Math.floor(Math.random() * 2 ** 48)),
    },
  )
  const terms = z.encode(termsWire, toTaskTerms(document))
  const fundAmountTokWei = String(parseUnits('30', 18))
  await act('ada', 'post-task', { market, terms, text: formatTermsText(document), fundAmountTokWei })
  const { tasks } = await markets.reader.listRecent(market, { limit: 1 })
  return formatTaskId({ market, number: tasks[0]?.number ?? 0n })
}

async function beginWork(taskId: string): Promise<void> {
  const { claimDigest } = await prepareAction(markets.providers, markets.places, {
    action: 'claim-task',
    input: { taskId, settlementDigest: `0x${'00'.repeat(32)}` },
    from: accounts.emeka.address,
  })
  await act('emeka', 'claim-task', { taskId, settlementDigest: claimDigest ?? '0x' })
  await act('ada', 'start-work', { taskId })
}

const captions = '1\n00:00:00,000 --> 00:00:02,000\nA harbour at dawn.\n'

async function deliver(surface: WorkSurface, taskId: string, text: string, srt = captions): Promise<Hex> {
  const files = { 'captions.srt': srt, 'notes.md': '# Notes' }
  const { hash, receipt } = await surface.send('emeka', taskId, { kind: 'delivery', text, files })
  expect(receipt).toBeTruthy()
  await act('emeka', 'submit-proof', { taskId, proofHash: hash, ...(receipt && { receipt }) })
  return hash
}

const readTask = async (taskId: string) => {
  const { detail } = await markets.reader.getTask(market, parseTaskId(taskId).number)
  if (!detail) throw new Error(`${taskId} is not there.`)
  return detail
}

describe.each([
  ['the command line', createCommandSurface],
  ['the MCP tools', createToolSurface],
])('with %s', (_, createSurface) => {
  let surface: WorkSurface
  let finished: string
  beforeAll(() => {
    surface = createSurface(places)
  })

  test('a worker delivers, the poster asks for a change, opens the second version and approves', async () => {
    const taskId = await startTask(surface)
    const first = await deliver(surface, taskId, 'The first version.')
    expect(await surface.open('ada', taskId)).toEqual({
      text: 'The first version.',
      files: ['captions.srt', 'notes.md'],
    })
    const { hash } = await surface.send('ada', taskId, { kind: 'revision', text: 'Line 1 comes too early.' })
    await act('ada', 'request-revision', { taskId, reasonHash: hash })
    expect(await surface.open('emeka', taskId)).toEqual({ text: 'Line 1 comes too early.', files: [] })

    await deliver(surface, taskId, 'The second version.', captions.replace('00,000', '01,000'))
    expect((await surface.open('ada', taskId)).text).toBe('The second version.')
    expect((await surface.open('ada', taskId, first)).text).toBe('The first version.')
    await act('ada', 'accept-milestone', { taskId })
    expect((await readTask(taskId)).task.state).toBe('COMPLETED')
    finished = taskId
  })

  test('a poster who has never signed in cannot stop a delivery, and opens it once it has', async () => {
    // Terms name the store, and the text has no key: an older task.
    const offer = { poster: accounts.farah, text: 'Any\n\nAll.', amounts: [10n ** 20n], duration: 7_200 }
    const job = await sendPost(scene, { ...offer, store: accounts.store.address })
    await sendClaim(scene, job, accounts.emeka)
    await sendActivation(scene, job)
    const taskId = formatTaskId({ market, number: job.id })
    await surface.signIn('emeka')
    const { hash } = await surface.send('emeka', taskId, { kind: 'delivery', text: 'All of it.' })
    await act('emeka', 'submit-proof', { taskId, proofHash: hash })
    await surface.signIn('farah')
    expect(await surface.list('farah', taskId)).toEqual(['closed'])
    // Looking at the task shares what its author sent.
    expect(await surface.list('emeka', taskId)).toEqual(['readable'])
    expect((await surface.open('farah', taskId)).text).toBe('All of it.')
  })

  test('both give evidence; the seated judge opens all of it and nothing else, and both read its reasons', async () => {
    const taskId = await startTask(surface)
    await deliver(surface, taskId, 'All of it.')
    const opened = await surface.send('ada', taskId, { kind: 'evidence', text: 'Half is missing.' })
    await act('ada', 'open-dispute', { taskId, evidenceHash: opened.hash })
    await surface.signIn('kofi')
    await expect(surface.open('kofi', taskId)).rejects.toThrow(/NOT_ALLOWED|may not|"status":"closed"/)
    const { task, terms } = await readTask(taskId)
    const job = { id: task.number, terms, poster: accounts.ada, worker: accounts.emeka }
    await agreeOnJudge(scene, job, accounts.kofi)
    // Seated, but nobody has shared anything yet.
    expect(await surface.list('kofi', taskId)).toEqual(['closed', 'closed'])
    const answer = await surface.send('emeka', taskId, { kind: 'evidence', text: 'It is all there.' })
    await act('emeka', 'submit-evidence', { taskId, evidenceHash: answer.hash })

    expect(await surface.list('kofi', taskId)).toEqual(['readable', 'readable', 'readable'])
    expect((await surface.open('kofi', taskId, opened.hash)).text).toBe('Half is missing.')
    expect((await surface.open('kofi', taskId)).text).toBe('It is all there.')
    // The judge of this task has no role in another, and a stranger has none in this one.
    await expect(surface.open('kofi', finished)).rejects.toThrow(/NOT_ALLOWED|may not|"status":"closed"/)
    await surface.signIn('hana')
    await expect(surface.open('hana', taskId)).rejects.toThrow(/NOT_ALLOWED|may not|"status":"closed"/)
    await expect(surface.send('hana', taskId, { kind: 'ruling', text: 'Mine.' })).rejects.toThrow('is not the judge')

    const { dispute } = await readTask(taskId)
    await advanceTimeTo(devnet.client, (dispute?.evidenceEnd ?? 0) + 1)
    const reasons = await surface.send('kofi', taskId, { kind: 'ruling', text: 'The notes name every line.' })
    await act('kofi', 'resolve-dispute', { taskId, forWorker: true, reasonHash: reasons.hash })
    for (const party of ['ada', 'emeka'] as const) {
      expect((await surface.open(party, taskId, reasons.hash)).text).toBe('The notes name every line.')
    }
  })
})

test.each([
  ['the command line', createCommandSurface],
  ['the MCP tools', createToolSurface],
])(
  'with %s, a stranger opens the public file of a brief, the worker both once there is one, and the judge both',
  async (_, createSurface) => {
    const surface = createSurface(places)
    const contents = { 'guide.md': '# Style', 'customers.csv': 'name\nAda' }
    const names = Object.keys(contents)
    const described = await surface.nameFiles('ada', contents, ['guide.md'])
    expect(described).toEqual([
      { name: 'guide.md', type: 'text/markdown', size: 7, sha256: expect.any(String) },
      { name: 'customers.csv', type: 'text/csv', size: 8 },
    ])
    const taskId = await postTask(surface, described)
    await surface.sendBrief('ada', taskId, names)
    const open = async (person: Person) =>
      (await surface.listFiles(person, taskId)).map((each) => (each.hash === null ? null : [each.name, each.hash]))
    for (const person of ['hana', 'emeka', 'kofi'] as const) await surface.signIn(person)
    const [guide] = await open('hana')
    expect(await open('hana')).toEqual([['guide.md', expect.any(String)], null])
    expect(await surface.open('hana', taskId, guide?.[1] as Hex)).toEqual({ text: '', files: ['guide.md'] })
    const sealed = (await surface.listFiles('ada', taskId))[1]?.hash as Hex
    await expect(surface.open('hana', taskId, sealed)).rejects.toThrow(/BUNDLE_NOT_FOUND|has no hash/)

    await beginWork(taskId)
    expect(await open('emeka')).toEqual([guide, null])
    // The poster looks at the task: that shares the sealed file, and tells the worker.
    await surface.list('ada', taskId)
    expect(await open('emeka')).toEqual([guide, ['customers.csv', sealed]])
    expect(await surface.open('emeka', taskId, sealed)).toEqual({ text: '', files: ['customers.csv'] })
    const later = await surface.sendBrief('ada', taskId, names)
    expect(later).toMatchObject({ isAnnounced: true })

    await deliver(surface, taskId, 'All of it.')
    const opened = await surface.send('ada', taskId, { kind: 'evidence', text: 'Half is missing.' })
    await act('ada', 'open-dispute', { taskId, evidenceHash: opened.hash })
    const { task, terms } = await readTask(taskId)
    await agreeOnJudge(scene, { id: task.number, terms, poster: accounts.ada, worker: accounts.emeka }, accounts.kofi)
    const answer = await surface.send('emeka', taskId, { kind: 'evidence', text: 'It is all there.' })
    await act('emeka', 'submit-evidence', { taskId, evidenceHash: answer.hash })
    expect((await open('kofi')).map((each) => each?.[0])).toEqual(names)
  },
)

test('a file that is not the one of the text is refused, and nothing unnamed is ever public', async () => {
  const surface = createCommandSurface(places)
  await surface.signIn('ada')
  const described = await surface.nameFiles('ada', { 'guide.md': '# Style' }, ['guide.md'])
  const taskId = await postTask(surface, described)
  await surface.nameFiles('ada', { 'guide.md': '# Other', 'notes.md': 'Mine.' }, [])
  await expect(surface.sendBrief('ada', taskId, ['guide.md'])).rejects.toThrow(/not the file/)
  await surface.sendBrief('ada', taskId, ['notes.md'])
  await surface.signIn('hana')
  expect(await surface.list('hana', taskId)).toEqual([])
})

test('an agent saves delivered files in its work folder, without the key of the bundle', async () => {
  const surface = createToolSurface(places)
  const taskId = await startTask(surface)
  await deliver(surface, taskId, 'Saved by a program.')
  const saved = await surface.save('ada', taskId)
  expect(await readFile(join(saved, 'captions.srt'), 'utf8')).toBe(captions)
  expect((await readdir(saved)).sort()).toEqual(['captions.srt', 'notes.md'])
  const beside = await readdir(join(saved, '..'))
  expect(beside.filter((name) => name.includes('identity'))).toEqual([])
  // The same work again is the same folder.
  expect(await surface.save('ada', taskId)).toBe(saved)
})

test('a brief is sealed for the other party, comes from no one else, and is not on chain', async () => {
  const surface = createCommandSurface(places)
  const taskId = await startTask(surface)
  const { hash } = await surface.send('ada', taskId, { kind: 'brief', text: 'The logo to use.' })
  expect(await surface.open('emeka', taskId, hash)).toEqual({ text: 'The logo to use.', files: [] })
  expect(await surface.list('emeka', taskId)).toEqual(['readable'])
  const answer = await surface.send('emeka', taskId, { kind: 'brief', text: 'A sketch of it.' })
  expect(await surface.open('ada', taskId, answer.hash)).toEqual({ text: 'A sketch of it.', files: [] })
  await expect(surface.send('hana', taskId, { kind: 'brief', text: 'Mine.' })).rejects.toThrow(/is not the poster/)
})

test('a file of one task is never sent for another, whatever its name', async () => {
  const surface = createToolSurface(places)
  const [first, second] = [await startTask(surface), await startTask(surface)]
  await deliver(surface, first, 'For your eyes only.')
  const saved = await surface.save('ada', first)
  const inside = saved.slice(saved.indexOf(first.replaceAll(':', '-')))
  for (const name of [
    join(saved, 'captions.srt'),
    `../../${inside}/captions.srt`,
    `${inside}/captions.srt`,
    'captions.srt',
  ]) {
    await expect(surface.sendNames('ada', second, [name]), name).rejects.toThrow(/WORK_REFUSED.*outbox/)
  }
  const folder = second.replaceAll(':', '-')
  await rm(join(saved.slice(0, saved.indexOf(first.replaceAll(':', '-'))), folder), { recursive: true })
  await symlink(join(saved, '../../..'), join(saved, '../../../..', folder))
  await expect(surface.sendNames('ada', second, ['captions.srt'])).rejects.toThrow('is a link')
})

test('evidence that the chain would refuse is refused before anything is stored', async () => {
  const surface = createToolSurface(places)
  const taskId = await startTask(surface)
  const evidence = { kind: 'evidence', text: 'It is all there.' } as const
  await expect(surface.send('emeka', taskId, evidence)).rejects.toThrow(/cannot open-dispute for v2:micro/)
  const [row] =
    await service.sql`select count(*)::int as stored from store.bundle where kind = 'evidence' and task = ${taskId}`
  expect(row).toEqual({ stored: 0 })
})

test('a bare hash for a task with a store is prepared with a warning, and the steps name the tool that gets the receipt', async () => {
  const surface = createToolSurface(places)
  const taskId = await startTask(surface)
  const { steps } = await surface.call('emeka', 'svc_task_next_steps', { id: taskId })
  expect(steps).toContainEqual(
    expect.objectContaining({
      action: 'submit-proof',
      call: { tool: 'svc_send_work', arguments: expect.objectContaining({ kind: 'delivery' }) },
    }),
  )
  const bare = { action: 'submit-proof', input: { taskId }, text: 'Done.' }
  const { warnings } = await surface.call('emeka', 'svc_prepare', bare)
  expect(warnings).toEqual([expect.stringContaining('silence does not pay')])
})
