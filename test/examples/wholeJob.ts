import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts, createDevnetClient, type Person, sendTransaction } from '@svc/devnet'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Caller, connect, createCaller } from '../../apps/tools/test/connect.ts'
import type { DevStack } from '../harness/devStack.ts'

// A whole job of both sides with MCP alone: each side knows one URL, and its wallet signs what the tools return.

const server = fileURLToPath(new URL('../../apps/tools/src/svc-tools.ts', import.meta.url))

/** An agent with its own machine and a wallet tool. It counts what a model would pay for. */
export interface McpAgent {
  address: Address
  workFolder: string
  spent: { calls: number; answerTokens: number; approvals: number }
  // biome-ignore lint/suspicious/noExplicitAny: results differ by tool.
  use: (tool: string, args?: object) => Promise<any>
  /** The same for a call that must be refused: its error. */
  // biome-ignore lint/suspicious/noExplicitAny: errors differ by tool.
  refuse: (tool: string, args?: object) => Promise<any>
  /** The wallet tool: one approval for one batch of calls. */
  // biome-ignore lint/suspicious/noExplicitAny: what svc_prepare returned.
  approve: (prepared: any) => Promise<void>
  signIn: () => Promise<void>
  close: () => Promise<void>
}

const withoutWallet = new Set(['svc_search_tasks', 'svc_build_task_terms', 'svc_act'])

export async function startMcpAgent(
  stack: DevStack,
  person: Person,
  folder: string,
  options: readonly string[] = [],
): Promise<McpAgent> {
  const account = accounts[person]
  const { address } = account
  const home = join(folder, person)
  const workFolder = join(home, 'work')
  await mkdir(workFolder, { recursive: true })
  const client = createDevnetClient(stack.rpcUrl)
  // A local chain has no public RPC; no gateway runs for this agent.
  const env = {
    HOME: home,
    SVC_WORK_FOLDER: workFolder,
    CHAIN_RPC_URL: stack.rpcUrl,
    SVC_GATEWAY_URL: 'http://127.0.0.1:3',
  }
  const command = { command: process.execPath, args: [server, '--api', stack.apiUrl, ...options], env }
  const caller: Caller = createCaller(await connect(command, 'auto'))
  const spent = { calls: 0, answerTokens: 0, approvals: 0 }
  const ask = async (tool: string, args: object) => {
    spent.calls += 1
    const answer = await caller.call(tool, withoutWallet.has(tool) ? { ...args } : { address, ...args })
    const text = answer.content[0]?.text ?? ''
    spent.answerTokens += text.length / 4
    return { isError: answer.isError ?? false, json: JSON.parse(text), text }
  }
  const use: McpAgent['use'] = async (tool, args = {}) => {
    const { isError, json, text } = await ask(tool, args)
    expect(isError, `${tool} for ${person}: ${text}`).toBe(false)
    if (!json.typedData) return json
    spent.approvals += 1
    const { EIP712Domain: _, ...types } = json.typedData.types
    const data = await account.signTypedData({ ...json.typedData, types })
    return use(tool, { ...args, signature: { ...json.signature, data } })
  }
  return {
    address,
    workFolder,
    spent,
    use,
    async refuse(tool, args = {}) {
      const { isError, json } = await ask(tool, args)
      expect(isError, JSON.stringify(json)).toBe(true)
      return json
    },
    async approve(prepared) {
      expect(prepared.ready, JSON.stringify(prepared)).toBe(true)
      spent.approvals += 1
      for (const { to, data } of prepared.sendCalls.calls as { to: Address; data: Hex }[]) {
        await sendTransaction(client, account, { to, data })
      }
    },
    async signIn() {
      const { message } = await use('svc_work_sign_in')
      spent.approvals += 1
      const signature = await account.signMessage({ message })
      await use('svc_work_sign_in', { message, signature })
    },
    close: caller.close,
  }
}

const market = 'micro'
const terms = {
  market,
  title: 'Subtitle a harbour film',
  criteria: 'One .srt file for every scene of the film in the brief.',
  tags: ['subtitles'],
  milestones: [{ title: 'All subtitles', amount: '6,000 TOK', duration: '2 hours' }],
}

/** Registers the tests, on a stack that is started by then. */
export function testWholeJob(getStack: () => DevStack): void {
  let folder: string
  let [poster, worker]: McpAgent[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whole-job-'))
    poster = await startMcpAgent(getStack(), 'chiara', folder)
    worker = await startMcpAgent(getStack(), 'emeka', folder)
  })
  afterAll(async () => {
    await poster?.close()
    await worker?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const both = () => {
    if (!poster || !worker) throw new Error('The agents have not started.')
    return { poster, worker }
  }

  test('terms without a word about a store have the one of the market, or are not built', async () => {
    const { poster } = both()
    const draft = { ...terms, poster: poster.address }
    const early = await poster.refuse('svc_build_task_terms', draft)
    expect(early).toMatchObject({ code: 'NOT_SIGNED_IN', nextStep: expect.stringContaining('svc_work_sign_in') })
    // The shorter way to the chain has the same guard.
    const short = await poster.refuse('svc_prepare', { action: 'post-task', input: { terms } })
    expect(short).toMatchObject({ code: 'NOT_SIGNED_IN' })
    const open = await poster.use('svc_build_task_terms', { ...draft, store: 'none' })
    expect(open).toMatchObject({ store: null, warnings: [expect.stringContaining('any delivered hash is paid')] })
    expect(open).not.toHaveProperty('untrustedTerms')
    // A model passes the id, and copies neither terms nor calldata.
    const prepared = await poster.use('svc_prepare', { action: 'post-task', draftId: open.draftId })
    expect(prepared).toMatchObject({ ready: true })
    expect(prepared).not.toHaveProperty('sendCalls')
    Object.assign(poster.spent, { calls: 0, answerTokens: 0, approvals: 0 })
  })

  test('question, permit, brief, delivery, revision, payment and inbox, within the calls and tokens of a short conversation', async () => {
    const { poster, worker } = both()
    await poster.signIn()
    const posting = { action: 'post-task', input: { terms: { ...terms, claimPolicy: 'PERMIT' } }, calls: true }
    const before = await listRecent(getStack())
    await poster.approve(await poster.use('svc_prepare', posting))
    const isNew = (id: string) => before.every((each) => each.id !== id)
    const findPosted = async () =>
      (await listRecent(getStack())).find(({ id, title }) => title === terms.title && isNew(id))?.id
    // The index may be a block behind; a model is not charged for this.
    const id = await vi.waitUntil(findPosted, { timeout: 30_000, interval: 200 })

    await worker.signIn()
    const { tasks } = await worker.use('svc_search_tasks', { market, words: 'harbour' })
    const row = tasks.find((each: { id: string }) => each.id === id)
    expect(row).toMatchObject({ id, netPay: '5,000 TOK', netPayPerHour: '2,500 TOK', duration: '2 h' })
    expect(row).toMatchObject({ untrustedTags: ['subtitles'], posterRecord: { score: expect.any(Number) } })
    const { steps } = await worker.use('svc_task_next_steps', { id })
    expect(steps[0]).toMatchObject({
      action: 'apply',
      call: { tool: 'svc_send_message', arguments: { kind: 'apply' } },
    })
    await worker.use('svc_send_message', { id, kind: 'ask', text: 'Which language?' })
    expect(await poster.use('svc_read_messages', { id })).toMatchObject({ threads: [{ yourTurn: true }] })
    await poster.use('svc_send_message', { id, kind: 'answer', to: worker.address, text: 'Portuguese.' })
    await worker.use(steps[0].call.tool, { ...steps[0].call.arguments, text: 'I subtitled forty films.' })
    await poster.use('svc_send_message', { id, kind: 'choose', to: worker.address })
    const { threads } = await worker.use('svc_read_messages', { id })
    await worker.approve(await worker.use('svc_prepare', { ...threads[0].next, calls: true }))
    await poster.approve(await poster.use('svc_prepare', { action: 'start-work', input: { taskId: id }, calls: true }))

    const [outbox, inbox] = ['outbox', 'inbox'].map((box) => join(id.replaceAll(':', '-'), box))
    await writeOutbox(poster, outbox, 'film.txt', 'Scene 1: a harbour.')
    const brief = await poster.use('svc_send_work', { id, kind: 'brief', text: 'The film.', files: ['film.txt'] })
    expect(brief).toMatchObject({ isAnnounced: true })
    const read = await worker.use('svc_read_work', { id, save: true })
    expect(read).toMatchObject({ work: [{ kind: 'brief' }], opened: { untrustedText: 'The film.' } })
    expect(read.savedTo.startsWith(`${inbox}/`)).toBe(true)
    await writeOutbox(worker, outbox, 'film.srt', 'The first version.')
    const delivery = { id, kind: 'delivery', text: 'Done.', files: ['film.srt'], calls: true }
    const { receipt, prepared } = await worker.use('svc_send_work', delivery)
    expect(receipt).toBeDefined()
    await worker.approve(prepared)
    await poster.use('svc_read_work', { id })
    const revision = { id, kind: 'revision', text: 'Scene 1 comes too early.', calls: true }
    await poster.approve((await poster.use('svc_send_work', revision)).prepared)
    expect(await worker.use('svc_read_work', { id })).toMatchObject({ opened: { kind: 'revision' } })
    await writeOutbox(worker, outbox, 'film.srt', 'The second version.')
    await worker.approve((await worker.use('svc_send_work', { ...delivery, text: 'Corrected.' })).prepared)
    await poster.approve(
      await poster.use('svc_prepare', { action: 'accept-milestone', input: { taskId: id }, calls: true }),
    )
    const { notifications } = await worker.use('svc_read_inbox')
    expect(notifications.map(({ taskId }: { taskId: string }) => taskId)).toContain(id)
    await vi.waitFor(async () => expect((await findTask(getStack(), id)).task.state).toBe('COMPLETED'), {
      timeout: 30_000,
      interval: 200,
    })

    for (const [side, { spent }, most] of [
      ['worker', worker, { calls: 14, answerTokens: 10_100 }],
      ['poster', poster, { calls: 12, answerTokens: 7_550 }],
    ] as const) {
      console.log(`${side}: ${JSON.stringify(spent)}`)
      expect(spent.calls, side).toBeLessThanOrEqual(most.calls)
      expect(spent.answerTokens, side).toBeLessThanOrEqual(most.answerTokens)
    }
  })
}

async function writeOutbox({ workFolder }: McpAgent, outbox = '', name: string, text: string): Promise<void> {
  await mkdir(join(workFolder, outbox), { recursive: true })
  await writeFile(join(workFolder, outbox, name), text)
}

async function findTask({ apiUrl }: DevStack, id: string) {
  const response = await fetch(new URL(`/api/market/task?id=${id}`, apiUrl))
  return (await response.json()) as { task: { state: string } }
}

async function listRecent({ apiUrl }: DevStack) {
  const response = await fetch(new URL(`/api/market/recent?market=${market}&limit=5&texts=true`, apiUrl))
  return ((await response.json()) as { tasks: { id: string; title: string }[] }).tasks
}
