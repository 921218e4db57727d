import { Readable } from 'node:stream'
import { accounts, sendCall } from '@svc/devnet'
import { type TermsDocument, type TermsDocumentJson, termsDocument, toTaskTerms } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type Envelope, foldTranscript, sealMessage } from '@svc/protocol/negotiation'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { runPrepare } from '../../apps/tools/src/prepare/runPrepare.ts'
import { type Answer, connect, createCaller } from '../../apps/tools/test/connect.ts'
import { startToolWorld, type ToolWorld } from './toolWorld.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 })

let world: ToolWorld
beforeAll(async () => {
  world = await startToolWorld()
})
afterAll(() => world?.stop())

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
    ['svc_task_next_steps', { id: 'v2:micro:424242', wallet }, { code: 'TASK_NOT_FOUND' }],
    ['svc_list_open_tasks', { market: 'grand' }, { code: 'INVALID_MARKET' }],
    ['svc_list_open_tasks', { limit: 51 }, { code: 'INVALID_LIMIT' }],
    ['svc_list_open_tasks', { cursor: 'nonsense' }, { code: 'INVALID_CURSOR' }],
    ['svc_list_tasks_by_poster', { address: '0x12' }, { code: 'INVALID_ADDRESS' }],
    ['svc_build_xmtp_proposal', { terms: {}, sender: wallet }, { code: 'TERMS_REFUSED' }],
    ['svc_verify_settlement_digest', {}, { code: 'TERMS_REFUSED' }],
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
    })
    return said.untrustedTerms as TermsDocumentJson
  }

  test('a draft can be proposed, and its missing party is the sender', async () => {
    const milestones = [{ title: 'All of it', amount: '5 TOK', duration: '1 day' }]
    const draft = { title: 'A logo', criteria: 'An SVG file.', milestones, poster: poster.address }
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

describe('svc-prepare accepts every command in a result', () => {
  const prepare = async (command: string) => {
    const [name, ...argv] = command.split(' ')
    expect(name).toBe('svc-prepare')
    // It would otherwise wait for a person, without a line for the agent.
    expect(argv.slice(-2)).toEqual(['--no-wait', '--json'])
    let printed = ''
    const stream = { write: (text: string) => (printed += text) }
    const { env: environment } = world.command
    const io = { environment, input: Readable.from([]), output: stream, errors: stream, now: Date.now }
    const exit = await runPrepare([...argv, '--dry-run'], io)
    return { exit, printed }
  }

  test('of next steps, for both parties of every task', async () => {
    const hash = `0x${'1'.repeat(64)}`
    const brought: Record<string, string> = { proofHash: hash, evidenceHash: hash, reasonHash: hash, workerBps: '5000' }
    const taken = new Set<string>()
    for (const { market, taskId } of world.demoTasks.filter((each) => each.market === 'standard')) {
      const id = `v2:${market}:${taskId}`
      const { task } = (await ask('svc_get_task', { id })).said as { task: { poster: string; worker?: string } }
      for (const wallet of [task.poster, task.worker ?? accounts.newcomer.address]) {
        const { said } = await ask('svc_task_next_steps', { id, wallet })
        for (const { action, command } of said.steps as { action: string; command: string }[]) {
          // The digest is optional: svc-prepare then shows the terms.
          const whole = command
            .replace(' --settlement-digest <settlementDigest>', '')
            .replace(/<(\w+)>/g, (place, name) => brought[name] ?? place)
          if (whole.includes('<')) continue
          const { exit, printed } = await prepare(whole)
          expect(exit, `${whole}\n${printed}`).toBe(0)
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
    for (const step of steps) {
      const { exit, printed } = await prepare(step.replace('Run: ', ''))
      expect(exit, `${step}\n${printed}`).toBe(0)
    }
  })
})
