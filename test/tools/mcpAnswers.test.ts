import { accounts, sendCall, sendTransaction } from '@svc/devnet'
import { hashTaskText, type TermsDocument, termsDocument, toTaskTerms } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { Call } from '@svc/protocol/actions'
import type { TermsDocumentJson } from '@svc/protocol/internal/terms'
import { type Envelope, foldTranscript, sealMessage } from '@svc/protocol/negotiation'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { type Answer, type Caller, connect, createCaller } from '../../apps/tools/test/connect.ts'
import { startForTests } from '../harness/startForTests.ts'
import { startToolWorld } from './toolWorld.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 })

const world = startForTests(startToolWorld, 'stop')

/** Calls a tool with the official client over HTTP, and parses its result or error. */
async function ask(name: string, args: Record<string, unknown>): Promise<Answer & { said: Record<string, unknown> }> {
  const caller = createCaller(await connect(world.url, 'auto'))
  try {
    const answer = await caller.call(name, args)
    return { ...answer, said: JSON.parse(answer.content[0]?.text ?? '') }
  } finally {
    await caller.close()
  }
}

describe('errors say what happened and what to do', () => {
  const wallet = `0x${'1'.repeat(40)}`

  test.each<[string, Record<string, unknown>, object]>([
    ['svc_get_task', { id: '7' }, { code: 'INVALID_TASK_ID', retryable: false }],
    ['svc_get_task', { id: 'v2:micro:424242' }, { code: 'TASK_NOT_FOUND', retryable: false }],
    ['svc_get_task', { id: 'v2:micro:1', extra: 1 }, { code: 'INVALID_REQUEST' }],
    ['svc_task_next_steps', { id: 'v2:micro:424242', address: wallet }, { code: 'TASK_NOT_FOUND' }],
    ['svc_list_open_tasks', { market: 'grand' }, { code: 'INVALID_MARKET' }],
    ['svc_list_open_tasks', { limit: 51 }, { code: 'INVALID_LIMIT' }],
    ['svc_list_open_tasks', { cursor: 'nonsense' }, { code: 'INVALID_CURSOR' }],
    ['svc_list_tasks_by_poster', { address: '0x12' }, { code: 'INVALID_ADDRESS' }],
    ['svc_build_xmtp_proposal', { terms: {}, sender: wallet }, { code: 'TERMS_REFUSED' }],
    ['svc_verify_settlement_digest', {}, { code: 'TERMS_REFUSED' }],
    ['svc_prepare', { action: 'fly', input: {}, address: wallet }, { code: 'INVALID_REQUEST' }],
    ['svc_prepare', { action: 'top-up', input: {}, address: wallet }, { error: 'Missing in input: amountUsdc.' }],
    [
      'svc_prepare',
      { action: 'submit-proof', input: { taskId: 'v2:micro:1' }, address: wallet },
      { code: 'INVALID_REQUEST' },
    ],
    [
      'svc_prepare',
      { action: 'start-work', input: { taskId: 'v2:micro:424242' }, address: wallet },
      { code: 'TASK_NOT_FOUND' },
    ],
    ['svc_request_status', { requestId: `req_${'x'.repeat(22)}` }, { code: 'REQUEST_NOT_FOUND' }],
  ])('%s %j', async (name, args, error) => {
    const { isError, said } = await ask(name, args)
    expect(isError).toBe(true)
    expect(said).toEqual({
      error: expect.any(String),
      code: expect.any(String),
      retryable: expect.any(Boolean),
      nextStep: expect.any(String),
    })
    expect(said).toMatchObject(error)
  })

  test("an unreachable chain is reported without the provider's message", async () => {
    const env = { ...world.command.env, CHAIN_RPC_URL: 'http://127.0.0.1:9/v2/SECRETKEY' }
    const caller = createCaller(await connect({ ...world.command, env }, 'auto', (text) => expect(text).toBe('')))
    const answer = await caller.call('svc_list_open_tasks', {})
    await caller.close()
    expect(JSON.parse(answer.content[0]?.text ?? '')).toMatchObject({ code: 'CHAIN_UNREACHABLE', retryable: true })
    expect(JSON.stringify(answer)).not.toContain('SECRETKEY')
  })
})

test('pages of a list continue without duplicates', async () => {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { said } = await ask('svc_list_recent_tasks', { limit: 7, ...(cursor && { cursor }) })
    const { tasks, meta } = said as { tasks: { id: string }[]; meta: { nextCursor: string | null } }
    ids.push(...tasks.map(({ id }) => id))
    cursor = meta.nextCursor
  }
  const count = world.demoTasks.filter(({ market }) => market === 'standard').length
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => `v2:standard:${count - index}`))
})

describe('a settlement digest is verified from the document and from the chain', () => {
  test('a changed number is detected', async () => {
    const terms = world.calls.svc_build_xmtp_proposal?.terms as Record<string, unknown>
    expect((await ask('svc_verify_settlement_digest', { terms })).said).toMatchObject({ matches: true })
    const changed = { ...terms, maxRevisions: 3 }
    expect((await ask('svc_verify_settlement_digest', { terms: changed })).said).toMatchObject({ matches: false })
    const elsewhere = { ...terms, taskRegistry: `0x${'1'.repeat(40)}` }
    expect((await ask('svc_build_xmtp_acceptance_template', { terms: elsewhere })).said).toMatchObject({
      code: 'TERMS_REFUSED',
    })
  })

  test('every task of the demo world matches its terms and text', async () => {
    for (const { market, taskId } of world.demoTasks) {
      const { said } = await ask('svc_verify_settlement_digest', { id: `v2:${market}:${taskId}` })
      expect(said, `v2:${market}:${taskId}`).toMatchObject({ matches: true })
    }
  })
})

describe('what an agent builds is valid on chain', () => {
  const [poster, worker] = [accounts.bruno, accounts.goran]

  async function build() {
    const { said } = await ask('svc_build_task_terms', {
      market: 'micro',
      poster: poster.address,
      worker: worker.address,
      title: 'A logo',
      criteria: 'An SVG file, one colour.',
      milestones: [
        { title: 'Draft', amount: '100', duration: '24 hours' },
        { title: 'Final', amount: '1,150.5 TOK', duration: '24 hours' },
      ],
      claimWithin: '24 hours',
      store: 'none',
      document: true,
    })
    return said.untrustedTerms as TermsDocumentJson
  }

  test('a draft can be proposed, and its missing party is the sender', async () => {
    const milestones = [{ title: 'All of it', amount: '5 TOK', duration: '1 day' }]
    const draft = { title: 'A logo', criteria: 'An SVG file.', milestones, poster: poster.address, store: 'none' }
    const { said } = await ask('svc_build_xmtp_proposal', { terms: draft, sender: worker.address })
    const { terms } = (said.untrustedEnvelope as Envelope<'TaskProposal'>).payload
    expect(terms).toMatchObject({ poster: poster.address, worker: worker.address, market: 'standard' })
  })

  test('a proposal signed by its sender starts a negotiation', async () => {
    const terms = await build()
    const { said } = await ask('svc_build_xmtp_proposal', { terms, sender: worker.address })
    const signature = await worker.signTypedData(said.typedData as never)
    const message = sealMessage(said.untrustedEnvelope as Envelope, signature)
    expect(message.hash).toBe(said.hash)
    const state = await foldTranscript([message], { chainId: 8453 })
    expect(state).toMatchObject({ terms: { settlementDigest: terms.settlementDigest } })
  })

  test('the acceptances, signed by both parties, create the task', async () => {
    const json = await build()
    const { said } = await ask('svc_build_xmtp_acceptance_template', { terms: json })
    const accept = async (party: 'poster' | 'worker', account: LocalAccount) => {
      const { nonce, expiry, typedData } = said[party] as { nonce: string; expiry: number; typedData: never }
      return { nonce: BigInt(nonce), expiry: BigInt(expiry), data: await account.signTypedData(typedData) }
    }
    const document = z.decode(termsDocument as never, json as never) as TermsDocument
    const { client, deployments } = world.devnet
    await sendCall(client, worker, {
      address: deployments.markets.micro.taskRegistry,
      abi: taskRegistryAbi,
      functionName: 'create',
      args: [toTaskTerms(document), worker.address, await accept('poster', poster), await accept('worker', worker)],
    })
    const { tasks } = (await ask('svc_list_recent_tasks', { market: 'micro', limit: 1 })).said as {
      tasks: { id: string }[]
    }
    const id = tasks[0]?.id
    expect(tasks[0]).toMatchObject({
      state: 'CLAIMED',
      settlementDigest: json.settlementDigest,
      totalAmount: '1,250.5 TOK',
    })
    expect((await ask('svc_verify_settlement_digest', { terms: json, id })).said).toMatchObject({ matches: true })
  })
})

describe('a client without a shell can make every call that a result names', () => {
  let caller: Caller
  beforeAll(async () => {
    const env = { ...world.command.env, SVC_GATEWAY_URL: 'http://127.0.0.1:3' }
    caller = createCaller(await connect({ ...world.command, env }, 'auto'))
  })
  afterAll(() => caller.close())
  const prepare = async (args: Record<string, unknown>) => {
    const { isError, content } = await caller.call('svc_prepare', args)
    expect(isError ?? false, content[0]?.text).toBe(false)
  }

  test('of next steps, for both parties of every task', async () => {
    const hash = `0x${'1'.repeat(64)}`
    const brought: Record<string, unknown> = { proofHash: hash, evidenceHash: hash, reasonHash: hash, forWorker: true }
    const taken = new Set<string>()
    for (const { market, taskId } of world.demoTasks.filter((each) => each.market === 'standard')) {
      const id = `v2:${market}:${taskId}`
      const { task } = (await ask('svc_get_task', { id })).said as { task: { poster: string; worker?: string } }
      for (const wallet of [task.poster, task.worker ?? accounts.newcomer.address]) {
        const { said } = await ask('svc_task_next_steps', { id, address: wallet })
        for (const { action, bring, call } of said.steps as Step[]) {
          expect(tools.map(({ name }) => name)).toContain(call.tool)
          const names = bring.map(({ name }) => name)
          if (taken.has(action) || call.tool !== 'svc_prepare' || names.some((name) => !(name in brought))) continue
          const input = { ...call.arguments.input, ...Object.fromEntries(names.map((name) => [name, brought[name]])) }
          await prepare({ ...call.arguments, input })
          taken.add(action)
        }
      }
    }
    expect(taken.size).toBeGreaterThan(12)
  })

  test('of the checklist, for a wallet with USDC and no deposit', async () => {
    const { said } = await ask('svc_onboarding_checklist', { address: accounts.newcomer.address })
    const steps = (said.items as { nextStep: string | null }[]).flatMap(({ nextStep }) => nextStep ?? [])
    expect(said.ready).toBe(false)
    expect(steps).toHaveLength(3)
    for (const step of steps) await prepare(JSON.parse(step.replace('Call svc_prepare ', '')))
  })
})

interface Step {
  action: string
  bring: { name: string }[]
  call: { tool: string; arguments: { input?: object } }
}

test('a search shows what the chain says about the tasks that the API names, and nothing that the API says', async () => {
  const { said } = await ask('svc_search_tasks', { market: 'micro', words: 'map' })
  expect(said.tasks).toMatchObject([{ id: 'v2:micro:1', untrustedTitle: expect.any(String) }])
  expect(JSON.stringify(said)).not.toContain('Pays a million')
})

test('an agent without a shell goes from search to a claimed task', async () => {
  const wallet = accounts.newcomer
  const env = { ...world.command.env, SVC_GATEWAY_URL: 'http://127.0.0.1:3' }
  const caller = createCaller(await connect({ ...world.command, env }, 'auto'))
  // biome-ignore lint/suspicious/noExplicitAny: the test reads what each tool says it returns.
  const use = async (name: string, args: Record<string, unknown>): Promise<any> => {
    const { isError, content, structuredContent } = await caller.call(name, args)
    expect(isError ?? false, content[0]?.text).toBe(false)
    return structuredContent
  }
  /** The wallet tool: sends exactly the calls that it was given. */
  const sendCalls = async ({ chainId, from, calls }: { chainId: string; from: string; calls: Call[] }) => {
    expect([Number(chainId), from]).toEqual([8453, wallet.address])
    for (const { to, data } of calls) await sendTransaction(world.devnet.client, wallet, { to, data })
  }

  const { tasks } = await use('svc_list_open_tasks', { market: 'standard', limit: 50 })
  const { id } = tasks.find(
    (task: Record<string, string>) => task.phase === 'OPEN_FOR_CLAIM' && task.claimPolicy === 'ANYONE',
  )
  const { task } = await use('svc_get_task', { id, address: wallet.address })

  // Without a deposit there is no step, but a reason with its cure.
  const before = await use('svc_task_next_steps', { id, address: wallet.address })
  expect(before.steps).toEqual([])
  const { cure } = before.blocked[0]
  const cureCall = { action: cure.action, input: cure.input, address: wallet.address }
  // Without a gateway the answer says how to get the calls, which cost a model too much to get unasked.
  const asked = await use('svc_prepare', cureCall)
  expect(asked).toMatchObject({ ready: true, nextStep: expect.stringContaining('calls: true') })
  expect(asked).not.toHaveProperty('sendCalls')
  expect(before.blocked[0]).toMatchObject({ action: 'claim-task', missing: '25.00 USDC', cure: { by: 'you' } })
  const early = await use('svc_prepare', { action: 'claim-task', input: { taskId: id }, address: wallet.address })
  expect(early).toMatchObject({
    ready: false,
    simulation: { status: 'refused', error: 'DepositTooLow', cure: expect.any(String) },
    blocked: [{ cure }],
  })
  expect(early).not.toHaveProperty('sendCalls')

  const topUp = await use('svc_prepare', { ...cureCall, calls: true })
  expect(topUp.note).toContain('No gateway is running')
  await sendCalls(topUp.sendCalls)
  const claiming = { action: 'claim-task', input: { taskId: id }, address: wallet.address }
  const claim = await use('svc_prepare', { ...claiming, calls: true })
  expect(claim).toMatchObject({
    ready: true,
    claimDigest: task.claimDigest,
    terms: { poster: task.poster },
    untrustedTitle: task.untrustedTitle,
    costs: expect.arrayContaining([{ what: 'Access fee', amount: '1,000 TOK' }]),
    simulation: {
      status: 'succeeds',
      others: expect.arrayContaining([{ who: 'Exit deposits of the task', change: '+1,000 TOK' }]),
    },
    sendCalls: { version: '2.0.0', chainId: '0x2105', from: wallet.address, atomicRequired: false },
  })
  await sendCalls(claim.sendCalls)
  expect(await use('svc_task_next_steps', { id, address: wallet.address })).toMatchObject({
    role: 'worker',
    state: 'CLAIMED',
  })
  await caller.close()
})

test('svc_prepare hashes the text of a proof, and refuses a gateway that prepares another call', async () => {
  const { said } = await ask('svc_prepare', {
    action: 'top-up',
    input: { market: 'micro', amountUsdc: '5000001' },
    address: accounts.newcomer.address,
  })
  expect(said).toMatchObject({ code: 'GATEWAY_UNREACHABLE', error: expect.stringContaining('different call') })
  const active = world.demoTasks.find(({ scenario }) => scenario.expected.state === 'ACTIVE')
  const id = `v2:${active?.market}:${active?.taskId}`
  const { task } = (await ask('svc_get_task', { id })).said as { task: { worker: string } }
  const env = { ...world.command.env, SVC_GATEWAY_URL: 'http://127.0.0.1:3' }
  const caller = createCaller(await connect({ ...world.command, env }, 'auto'))
  const text = 'The map is at https://example.org/map.svg'
  const answer = await caller.call('svc_prepare', {
    action: 'submit-proof',
    input: { taskId: id },
    address: task.worker,
    text,
    calls: true,
  })
  await caller.close()
  const { calls } = (answer.structuredContent?.sendCalls ?? { calls: [] }) as { calls: Call[] }
  expect(calls.at(-1)?.data, answer.content[0]?.text).toContain(hashTaskText(text).slice(2))
})
