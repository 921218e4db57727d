import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ActResult,
  computeWorstCase,
  createAgent,
  createJournalFile,
  createSigner,
  type DoWork,
  type Job,
  planGrant,
  serveSigner,
  signGrant,
  signInAgent,
  unixSocket,
} from '@svc/agent'
import { loadDeployments } from '@svc/chain'
import { accounts, advanceTimeTo, createDevnetClient, deployDelegationFramework, sendTokens } from '@svc/devnet'
import { erc20Abi, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DevStack } from '../harness/devStack.ts'
import { type McpAgent, startMcpAgent } from './wholeJob.ts'

// An agent works for an evening within its grant, with the real store and notifier. The other sides are agents with the MCP tools.

const market = 'micro'
const tok = (amount: number) => parseUnits(String(amount), 18)

/** Registers the tests, on a stack that is started by then. */
export function testEvening(getStack: () => DevStack): void {
  let folder: string
  let [poster, worker]: McpAgent[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evening-'))
    poster = await startMcpAgent(getStack(), 'hana', folder)
    worker = await startMcpAgent(getStack(), 'goran', folder)
    await poster.signIn()
    await worker.signIn()
  })
  afterAll(async () => {
    await poster?.close()
    await worker?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('it earns on three tasks and hires on one, and nobody but the other sides signs', async () => {
    const [buyer, seller] = [poster, worker]
    if (!buyer || !seller) throw new Error('The agents have not started.')
    const { apiUrl, rpcUrl, deploymentsFile } = getStack()
    const chain = createDevnetClient(rpcUrl)
    const deployments = await loadDeployments(deploymentsFile)
    const environment = await deployDelegationFramework(chain)
    const [owner, session] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
    if (!owner || !session) throw new Error('unreachable')
    await chain.setBalance({ address: owner.address, value: parseEther('1') })
    await sendTokens(chain, deployments, owner.address, { tok: tok(17_000), usdc: parseUnits('77', 6) })
    // Three live tasks need a deposit of 51 USDC.
    await sendTokens(chain, deployments, accounts.hana.address, { tok: tok(40_000), usdc: parseUnits('100', 6) })
    const topUp = { action: 'top-up', input: { market, amountUsdc: '100000000' }, calls: true }
    await buyer.approve(await buyer.use('svc_prepare', topUp))
    const { timestamp } = await chain.getBlock()
    const plan = await planGrant(chain, environment, owner.address, {
      apiUrl,
      market,
      contracts: { ...deployments.shared, ...deployments.markets[market] },
      session: session.address,
      uses: ['earn', 'hire'],
      claims: 3,
      hires: 1,
      budgetTokWei: tok(9_000),
      depositUsdc: parseUnits('77', 6),
      until: Number(timestamp) + 3 * 86_400,
      gasWei: parseEther('0.01'),
    })
    expect(computeWorstCase(plan)).toEqual({ tokWei: tok(17_000), usdcUnits: 77_000_000n, gasWei: parseEther('0.01') })
    const grant = await signGrant(chain, environment, owner, plan)
    const home = join(folder, 'agent')
    await signInAgent(grant, { folder: home, owner, chain })

    const spent = { transactions: 0, gas: 0n }
    const own = createSigner({ grant, session, chain, journal: createJournalFile(join(folder, 'signer.jsonl')) })
    const counted = {
      async act(request: Parameters<typeof own.act>[0]): Promise<ActResult> {
        const result = await own.act(request)
        if (result.status === 'confirmed') {
          spent.transactions += 1
          spent.gas += BigInt(result.gasUsed)
        }
        return result
      },
    }
    const served = await serveSigner(counted, join(folder, 'signer.sock'))
    const signer = unixSocket(join(folder, 'signer.sock'))
    const agent = await createAgent({ grant, signer, folder: home, chain, pollMs: 200 })

    const posted = [
      await post(buyer, 'Subtitle a quay film', 'PERMIT'),
      await post(buyer, 'Subtitle a quay walk', 'ANYONE'),
      await post(buyer, 'Subtitle a quay storm', 'ANYONE'),
    ]
    const [asked = '', revised = '', lapsing = ''] = posted

    const received: string[] = []
    const doWork: DoWork = async ({ untrusted, brief, revision, outbox }) => {
      for (const { path } of brief?.files ?? []) received.push(await readFile(path, 'utf8'))
      if (revision) received.push(revision.untrustedText)
      await outbox.write('film.srt', `${untrusted.title}, ${revision ? 'second' : 'first'} version.`)
      return 'Done.'
    }
    const running: Promise<unknown>[] = []
    const others = [
      servePermitTask(buyer, asked),
      serveRevisedTask(buyer, revised),
      untilState(buyer, lapsing, 'CLAIMED').then(() => act(buyer, 'start-work', lapsing)),
    ]
    const jobs: Job[] = []
    for await (const offer of agent.offers({ words: 'quay', minNetPerHour: '150 TOK' })) {
      if (!posted.includes(offer.id)) continue
      if (offer.claimPolicy === 'PERMIT') expect(await offer.ask('Which language?')).toBe('Portuguese.')
      const job = await offer.claim('I subtitled forty films.')
      if (!job) continue
      jobs.push(job)
      running.push(job.run(doWork))
      if (jobs.length === 3) break
    }
    expect(jobs.map(({ id }) => id).toSorted()).toEqual([...posted].toSorted())
    const draft = {
      title: 'Proofread the quay subtitles',
      criteria: 'No spelling mistakes.',
      budget: '9,000 TOK',
      duration: '2 hours',
      claimPolicy: 'PERMIT' as const,
      brief: { text: 'The subtitles.', files: { 'film.srt': 'All of them.' } },
    }
    const order = await agent.hire(draft)
    // The same order is posted once.
    expect((await agent.hire(draft)).id).toBe(order.id)
    const opened: string[] = []
    const bought = order.run({
      choose: async ([first]) => first?.worker ?? null,
      review: async ({ files }) => {
        for (const { path } of files) opened.push(await readFile(path, 'utf8'))
        return 'accept'
      },
    })
    await workFor(seller, order.id)
    expect(await bought).toMatchObject({ state: 'COMPLETED', releasedTokWei: tok(9_000) })
    expect(opened).toEqual(['No mistakes left.'])
    await Promise.all(others)
    // The poster of the third one never answers.
    const { deadlines } = await vi.waitUntil(
      async () => {
        const { task } = await buyer.use('svc_get_task', { id: lapsing })
        return task.deadlines.review && task.receipted ? task : null
      },
      { timeout: 60_000, interval: 300 },
    )
    await vi.waitFor(async () => {
      for (const id of [asked, revised]) expect(await readState(buyer, id)).toBe('COMPLETED')
    })
    await advanceTimeTo(chain, deadlines.review.at + 1)
    expect(await Promise.all(running)).toEqual(posted.map(() => ({ state: 'COMPLETED', releasedTokWei: tok(6_000) })))
    expect(received.toSorted()).toEqual(['Scene 1 comes too early.', 'Scene 1: a harbour.'])

    const balance = await chain.readContract({
      address: grant.contracts.tokToken,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner.address],
    })
    // 17,000 before; three fees to claim and one to post; 9,000 paid and 18,000 earned.
    expect(balance).toBe(tok(17_000 - 4_000 - 9_000 + 18_000))
    expect(await agent.jobs()).toEqual([])
    const transactions = await chain.getTransactionCount({ address: session.address })
    expect(transactions).toBe(spent.transactions)
    console.log(`evening: ${transactions} transactions of the session key, ${spent.gas} gas`)
    await served.close()
  })
}

const readState = async (agent: McpAgent, id: string): Promise<string> =>
  (await agent.use('svc_get_task', { id })).task.state

async function post(poster: McpAgent, title: string, claimPolicy: string): Promise<string> {
  const terms = {
    market,
    title,
    criteria: 'One .srt file for every scene.',
    milestones: [{ title: 'All subtitles', amount: '6,000 TOK', duration: '2 hours' }],
    claimPolicy,
    reviewWithin: '2 hours',
  }
  await poster.approve(await poster.use('svc_prepare', { action: 'post-task', input: { terms }, calls: true }))
  const find = async () => {
    const { tasks } = await poster.use('svc_list_tasks_by_poster', { market, limit: 5 })
    return tasks.find((each: { untrustedTitle?: string }) => each.untrustedTitle === title)?.id as string | undefined
  }
  return vi.waitUntil(find, { timeout: 30_000, interval: 200 })
}

const act = async (agent: McpAgent, action: string, id: string) =>
  agent.approve(await agent.use('svc_prepare', { action, input: { taskId: id }, calls: true }))

const untilState = (agent: McpAgent, id: string, state: string) =>
  vi.waitUntil(async () => (await readState(agent, id)) === state, { timeout: 60_000, interval: 300 })

/** Waits until somebody has delivered with a receipt. */
const untilDelivered = (agent: McpAgent, id: string, revision: number) =>
  vi.waitUntil(
    async () => {
      const { task } = await agent.use('svc_get_task', { id })
      return task.receipted && task.revisions === revision
    },
    { timeout: 60_000, interval: 300 },
  )

/** Answers a question, chooses with a signed permit, sends a brief, and accepts. */
async function servePermitTask(poster: McpAgent, id: string): Promise<void> {
  const waitFor = (kind: string) =>
    vi.waitUntil(
      async () => {
        const { threads } = await poster.use('svc_read_messages', { id })
        return threads.find((each: { turn: string }) => each.turn.includes(kind))?.with as string | undefined
      },
      { timeout: 60_000, interval: 300 },
    )
  const to = await waitFor('Question')
  await poster.use('svc_send_message', { id, kind: 'answer', to, text: 'Portuguese.' })
  await poster.use('svc_send_message', { id, kind: 'choose', to: await waitFor('Application') })
  await untilState(poster, id, 'CLAIMED')
  await writeOutbox(poster, id, 'film.txt', 'Scene 1: a harbour.')
  await poster.use('svc_send_work', { id, kind: 'brief', text: 'The film.', files: ['film.txt'] })
  await act(poster, 'start-work', id)
  await untilDelivered(poster, id, 0)
  const { opened } = await poster.use('svc_read_work', { id })
  expect(opened.untrustedFiles).toMatchObject([{ name: 'film.srt', text: 'Subtitle a quay film, first version.' }])
  await act(poster, 'accept-milestone', id)
}

async function serveRevisedTask(poster: McpAgent, id: string): Promise<void> {
  await untilState(poster, id, 'CLAIMED')
  await act(poster, 'start-work', id)
  await untilDelivered(poster, id, 0)
  const revision = { id, kind: 'revision', text: 'Scene 1 comes too early.', calls: true }
  await poster.approve((await poster.use('svc_send_work', revision)).prepared)
  await untilDelivered(poster, id, 1)
  const { opened } = await poster.use('svc_read_work', { id })
  expect(opened.untrustedFiles).toMatchObject([{ text: 'Subtitle a quay walk, second version.' }])
  await act(poster, 'accept-milestone', id)
}

/** Works for the agent: applies, reads the brief and delivers. */
async function workFor(worker: McpAgent, id: string): Promise<void> {
  await worker.use('svc_send_message', { id, kind: 'apply', text: 'I read slowly.' })
  await vi.waitUntil(
    async () =>
      (await worker.use('svc_get_task', { id })).task.allowedWorker?.toLowerCase() === worker.address.toLowerCase(),
    { timeout: 60_000, interval: 300 },
  )
  await act(worker, 'claim-task', id)
  await untilState(worker, id, 'ACTIVE')
  // The store may be a block behind.
  const { opened } = await vi.waitFor(() => worker.use('svc_read_work', { id }), { timeout: 30_000, interval: 300 })
  expect(opened).toMatchObject({ untrustedText: 'The subtitles.', untrustedFiles: [{ text: 'All of them.' }] })
  await writeOutbox(worker, id, 'film.srt', 'No mistakes left.')
  const delivery = { id, kind: 'delivery', text: 'Read.', files: ['film.srt'], calls: true }
  await worker.approve((await worker.use('svc_send_work', delivery)).prepared)
}

async function writeOutbox({ workFolder }: McpAgent, id: string, name: string, text: string): Promise<void> {
  const outbox = join(workFolder, id.replaceAll(':', '-'), 'outbox')
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, name), text)
}
