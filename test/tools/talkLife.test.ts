import { execFile as execFileCallback } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { prepareAction } from '@svc/chain'
import {
  accounts,
  type Devnet,
  type Person,
  publicKeys,
  type Scene,
  sendActivation,
  sendPost,
  sendTransaction,
} from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import type { ActionName, PrepareInput } from '@svc/protocol/actions'
import { type Address, type Hex, keccak256, parseUnits, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDepositCheck } from '../../apps/store/src/depositCheck.ts'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { type Markets, openMarkets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { listWorkFolders, openWorkWallet } from '../../apps/tools/src/work/place.ts'
import { runWork } from '../../apps/tools/src/work/runWork.ts'
import { createToolWork } from '../../apps/tools/src/work/toolWork.ts'
import { type TestStore, testDomain } from '../harness/storeApp.ts'
import { type ChainStore, startChainStore } from '../store/chainStore.ts'

// Two agents, one with the command line and one with the tools, over a real chain and a real store.

const execFile = promisify(execFileCallback)
const market = 'micro'
const amount = parseUnits('100', 18)
/** The chain's clock is ahead of ours after its set-up. Everyone in this test goes by the chain. */
let ahead = 0
const getNow = () => Math.floor(Date.now() / 1000) + ahead
let world: ChainStore
let devnet: Devnet
let scene: Scene
let markets: Markets
let service: TestStore

beforeAll(async () => {
  world = await startChainStore((providers, deployment) => ({
    now: () => getNow() * 1_000,
    hasDeposit: createDepositCheck(providers, deployment),
  }))
  ;({ devnet, scene, service } = world)
  markets = openMarkets([devnet.rpcUrl], devnet.deployments)
  ahead = (await markets.reader.head()).timestamp - getNow()
})
afterAll(() => world?.stop())

/** Runs a command of svc-work on a person's own machine. */
async function run(person: Person, ...argv: string[]) {
  const home = join(world.folder, 'cli', person)
  await mkdir(home, { recursive: true })
  let [output, errors] = ['', '']
  const at = ['--store', service.url, '--store-address', accounts.store.address, '--domain', testDomain, '--json']
  const code = await runWork([...argv, ...at], {
    environment: {
      CHAIN_RPC_URL: devnet.rpcUrl,
      SVC_DEPLOYMENTS: world.deploymentsFile,
      HOME: home,
      PRIVATE_KEY: publicKeys[person],
    },
    input: new PassThrough(),
    output: new PassThrough().on('data', (chunk) => {
      output += chunk
    }),
    errors: new PassThrough().on('data', (chunk) => {
      errors += chunk
    }),
    now: getNow,
  })
  await new Promise((resolve) => setImmediate(resolve))
  if (code !== 0) throw new Error(`${output}${errors}`)
  return JSON.parse(output)
}

/** Opens the wallet of a person on the machine of the tools. */
const openWallet = (person: Person) =>
  openWorkWallet(
    markets,
    {
      ...listWorkFolders(join(world.folder, 'mcp', person)),
      domain: testDomain,
      storeUrl: service.url,
      storeAddress: accounts.store.address,
      now: getNow,
      progress: () => {},
    },
    { wallet: accounts[person].address, signMessage: (message) => accounts[person].signMessage({ message }) },
  )

/** Calls a tool. If it returns typed data, the wallet signs it and the call is repeated. */
// biome-ignore lint/suspicious/noExplicitAny: results differ by tool.
async function call(person: Person, name: string, args: Record<string, unknown>): Promise<any> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const work = { ...createToolWork(markets, {}, ''), openWallet: () => openWallet(person) }
  const deps = createToolDeps(markets, 'http://127.0.0.1:9', undefined, work)
  const answer = await callTool(tool, { address: accounts[person].address, ...args }, deps, (error) => {
    throw error
  })
  const [content] = answer.content
  const text = content?.type === 'text' ? content.text : ''
  if (answer.isError) throw new Error(text)
  const json = JSON.parse(text)
  if (!json.typedData) return json
  expect(args.signature, 'the wallet signs once').toBeUndefined()
  const { EIP712Domain: _, ...types } = json.typedData.types
  const data = await accounts[person].signTypedData({ ...json.typedData, types })
  return call(person, name, { ...args, signature: { ...json.signature, data } })
}

/** Prepares an action and signs it, as the wallet of a person. */
async function act<Name extends ActionName>(person: Person, action: Name, input: PrepareInput<Name>): Promise<void> {
  const from = accounts[person]
  const prepared = await prepareAction(markets.providers, markets.places, { action, input, from: from.address })
  expect(prepared.simulation, JSON.stringify(prepared.simulation)).toMatchObject({ status: 'succeeds' })
  for (const { to, data } of prepared.calls) {
    await sendTransaction(devnet.client, from, { to: to as Address, data: data as Hex })
  }
}

const readTask = async (number: bigint) => {
  const { detail } = await markets.reader.getTask(market, number)
  if (!detail) throw new Error(`Task ${number} is not there.`)
  return detail.task
}

const post = (permitOnly = false) =>
  sendPost(scene, {
    poster: accounts.ada,
    text: 'Caption a film\n\nOne .srt file.',
    amounts: [amount],
    duration: scene.params.minDuration,
    permitOnly,
  })

test('a permit task from a question over an application to choice, claim and payment', async () => {
  // Both have signed in once, so that others can write to them.
  await run('ada', 'mail')
  const job = await post(true)
  const id = formatTaskId({ market, number: job.id })
  const asked = await call('emeka', 'svc_send_message', { id, kind: 'ask', text: 'Which language?' })
  expect(asked).toMatchObject({ thread: { yourTurn: false, turn: 'their turn' } })
  const seen = await run('ada', 'messages', id)
  expect(seen.threads).toMatchObject([{ with: accounts.emeka.address, yourTurn: true, turn: 'your turn (Question)' }])
  await run('ada', 'answer', id, 'Portuguese.', '--to', accounts.emeka.address)
  await call('emeka', 'svc_send_message', { id, kind: 'apply', text: 'I captioned forty films.' })
  const { applicants } = await run('ada', 'applicants', id)
  expect(applicants).toMatchObject([{ with: accounts.emeka.address, yourTurn: true }])
  await run('ada', 'choose', id, accounts.emeka.address)
  const { threads } = await call('emeka', 'svc_read_messages', { id })
  expect(threads).toMatchObject([{ yourTurn: true, hasPermit: true, next: { action: 'claim-task' } }])
  await act('emeka', 'claim-task', threads[0].next.input)
  job.worker = accounts.emeka
  await sendActivation(scene, job)
  await act('emeka', 'submit-proof', { taskId: id, milestone: 0, proofHash: keccak256(stringToHex('captions')) })
  await act('ada', 'complete-task', { taskId: id })
  expect(await readTask(job.id)).toMatchObject({ state: 'COMPLETED', released: amount })
})

test('a private task from a proposal over two counter offers to COMPLETED, and its transcript proves the digest', async () => {
  // Every device that reads must have signed in before.
  for (const person of ['ada', 'emeka'] as const) await run(person, 'mail')
  await call('emeka', 'svc_read_messages', {})
  const milestones = [{ title: 'All of it', amount: '100 TOK', duration: '2 hours' }]
  const draft = { market, title: 'Translate', criteria: 'All pages.', milestones, claimWithin: '1 day', store: 'none' }
  const proposed = await call('ada', 'svc_negotiate', {
    step: 'propose',
    terms: { ...draft, worker: accounts.emeka.address },
  })
  const { negotiationId } = proposed.negotiation
  const step = (person: Person, args: object) => call(person, 'svc_negotiate', { negotiationId, ...args })
  const { negotiations } = await run('emeka', 'mail')
  expect(negotiations).toMatchObject([{ negotiationId, phase: 'OFFERED', yourTurn: true }])
  const dearer = [{ title: 'All of it', amount: '120 TOK', duration: '2 hours' }]
  await step('emeka', { step: 'counter', terms: { milestones: dearer }, reason: 'It is long.' })
  const longer = [{ title: 'All of it', amount: '110 TOK', duration: '3 hours' }]
  const second = await step('ada', { step: 'counter', terms: { milestones: longer } })
  const { settlementDigest } = second.negotiation
  await expect(
    step('emeka', { step: 'accept', settlementDigest: proposed.negotiation.settlementDigest }),
  ).rejects.toThrow('The current offer is')
  await step('emeka', { step: 'accept', settlementDigest })
  const agreed = await step('ada', { step: 'accept', settlementDigest })
  expect(agreed).toMatchObject({ negotiation: { phase: 'AGREED' }, next: { action: 'create-task' } })

  await act('ada', 'create-task', agreed.next.input)
  const { tasks } = await markets.reader.listRecent(market, { limit: 1 })
  const number = tasks[0]?.number ?? 0n
  const taskId = formatTaskId({ market, number })
  await act('ada', 'fund-task', { taskId, amountTokWei: String(parseUnits('110', 18)) })
  await act('ada', 'start-work', { taskId })
  await act('emeka', 'submit-proof', { taskId, milestone: 0, proofHash: keccak256(stringToHex('pages')) })
  await act('ada', 'complete-task', { taskId })
  expect(await readTask(number)).toMatchObject({ state: 'COMPLETED', settlementDigest })

  const file = join(world.folder, 'agreement.json')
  await run('emeka', 'agreement', negotiationId, file)
  const verify = fileURLToPath(new URL('../../apps/tools/src/svc-verify.ts', import.meta.url))
  // Offline: without a chain in its environment.
  const { stdout } = await execFile(process.execPath, [verify, file, '--digest', settlementDigest, '--json'], {
    env: {},
  })
  expect(JSON.parse(stdout)).toMatchObject({ settlementDigest })
})

test('both end a running task with a split, whoever brings the two signatures', async () => {
  const job = await post()
  const taskId = formatTaskId({ market, number: job.id })
  const { claimDigest } = await prepareAction(markets.providers, markets.places, {
    action: 'claim-task',
    input: { taskId, settlementDigest: `0x${'00'.repeat(32)}` },
    from: accounts.emeka.address,
  })
  await act('emeka', 'claim-task', { taskId, settlementDigest: claimDigest ?? '0x' })
  job.worker = accounts.emeka
  await sendActivation(scene, job)
  await run('ada', 'propose-end', taskId, '--worker-bps', '2500')
  await call('emeka', 'svc_send_message', { id: taskId, kind: 'propose-end', workerBps: 4_000 })
  const { threads } = await run('ada', 'messages', taskId)
  expect(threads).toMatchObject([{ yourTurn: true, endOffers: { yours: 2_500, theirs: 4_000 } }])
  const end = await run('ada', 'accept-end', taskId, '--out', join(world.folder, 'end.json'))
  expect(JSON.parse(await readFile(end.file, 'utf8'))).toEqual(end.input)
  await act('emeka', 'mutual-cancel', end.input)
  expect(await readTask(job.id)).toMatchObject({ state: 'CANCELLED', released: (amount * 4_000n) / 10_000n })
})
