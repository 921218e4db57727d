import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadDeployments } from '@svc/chain'
import { accounts, advanceTimeTo, createDevnetClient, sendTokens } from '@svc/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { DevStack } from '../harness/devStack.ts'
import { installPacked } from '../package/packed.ts'
import { createGrantedAgent, tok, usdc, writeOutbox } from './grantedAgent.ts'
import { playInjection } from './injection.ts'
import { act, findPosted, postQuayTask, untilAllowed, untilDelivered, untilState, waitForTurn } from './mcpSteps.ts'
import { type McpAgent, startMcpAgent } from './wholeJob.ts'

// An agent works for an evening within its grant, with the real store and notifier. The other sides are agents with the MCP tools.

const market = 'micro'

/** What the agent says when its evening is over. */
const evening = z.object({
  jobs: z.array(z.object({ id: z.string(), state: z.string(), releasedTokWei: z.string() })),
  order: z.object({ state: z.string(), releasedTokWei: z.string() }),
  answer: z.string(),
  received: z.array(z.string()),
  opened: z.array(z.string()),
  open: z.number(),
  spent: z.object({ transactions: z.number(), gas: z.string(), chainCalls: z.number(), marketCalls: z.number() }),
})

/** Registers the tests, on a stack that is started by then. */
export function testEvening(getStack: () => DevStack): void {
  let folder: string
  let [poster, worker]: McpAgent[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evening-'))
    poster = await startMcpAgent(getStack(), 'hana', folder, ['--tools', 'all'])
    worker = await startMcpAgent(getStack(), 'goran', folder)
    await poster.signIn()
    await worker.signIn()
    const { rpcUrl, deploymentsFile } = getStack()
    // Live tasks need a deposit.
    const deployments = await loadDeployments(deploymentsFile)
    await sendTokens(createDevnetClient(rpcUrl), deployments, accounts.hana.address, {
      tok: tok(80_000),
      usdc: usdc(150),
    })
    const topUp = { action: 'top-up', input: { market, amountUsdc: '150000000' }, calls: true }
    await poster.approve(await poster.use('svc_prepare', topUp))
  })
  afterAll(async () => {
    await poster?.close()
    await worker?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const both = () => {
    if (!poster || !worker) throw new Error('The agents have not started.')
    return [poster, worker] as const
  }

  test('strangers lead a model that obeys everything it reads to no action beyond the goal', () =>
    playInjection(getStack(), folder, ...both()))

  // Moves the clock, so it comes last.
  test('from packed packages, one URL and a grant it earns on three tasks and hires on one', async () => {
    const [buyer, seller] = both()
    const stack = getStack()
    const made = await createGrantedAgent(stack, folder, {
      tokWei: tok(17_000),
      usdcUnits: usdc(77),
      limits: '--claims 3 --hires 1 --budget 9000TOK --deposit 77USDC --gas 0.01',
      worst: '17,000 TOK + 77.00 USDC + 0.01 ETH of gas',
    })
    const { chain, grant, owner } = made

    const place = join(folder, 'empty')
    await installPacked(['protocol', 'operations', 'client', 'work', 'agent'], place)
    await cp(fileURLToPath(new URL('eveningProgram.ts', import.meta.url)), join(place, 'evening.ts'))
    await writeOutbox(buyer.workFolder, 'new', 'style.txt', style)
    const posted = [
      await postQuayTask(buyer, 'Subtitle a quay film', 'PERMIT', { files: [{ name: 'style.txt', for: 'everyone' }] }),
      await postQuayTask(buyer, 'Subtitle a quay walk', 'ANYONE'),
      await postQuayTask(buyer, 'Subtitle a quay storm', 'ANYONE'),
    ]
    const [asked = '', revised = '', lapsing = ''] = posted
    const program = promisify(execFile)(process.execPath, ['evening.ts', made.folder, stack.rpcUrl, posted.join()], {
      cwd: place,
      env: { PATH: '/usr/bin:/bin' },
    })
    const ended = program.then(({ stdout }) => evening.parse(JSON.parse(stdout)))
    await Promise.race([
      ended.then(() => Promise.reject(new Error('It ended early.'))),
      Promise.all([
        servePermitTask(buyer, asked),
        serveRevisedTask(buyer, revised),
        untilState(buyer, lapsing, 'CLAIMED').then(() => act(buyer, 'start-work', lapsing)),
        findPosted(seller, 'Proofread the quay subtitles', owner.address).then((id) => workFor(seller, id)),
      ]),
    ])
    // The poster of the third one never answers.
    const { deadlines } = await vi.waitUntil(
      async () => {
        const { task } = await buyer.use('svc_get_task', { id: lapsing })
        return task.deadlines.review && task.receipted ? task : null
      },
      { timeout: 120_000, interval: 300 },
    )
    await advanceTimeTo(chain, deadlines.review.at + 1)
    const { jobs, order, answer, received, opened, open, spent } = await ended
    const paid = posted.map((id) => ({ id, state: 'COMPLETED', releasedTokWei: String(tok(6_000)) }))
    expect(jobs.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(paid.toSorted((a, b) => a.id.localeCompare(b.id)))
    expect(order).toEqual({ state: 'COMPLETED', releasedTokWei: String(tok(9_000)) })
    expect(answer).toBe('Portuguese.')
    // Files of both sides arrived and opened.
    expect(received.toSorted()).toEqual(['Scene 1 comes too early.', 'Scene 1: a harbour.', style])
    expect(opened).toEqual(['No mistakes left.'])
    expect(open).toBe(0)
    const { tokToken } = grant.contracts
    const token = { address: tokToken, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] } as const
    // 17,000 before; three fees to claim and one to post; 9,000 paid and 18,000 earned.
    expect(await chain.readContract(token)).toBe(tok(17_000 - 4_000 - 9_000 + 18_000))
    expect(await chain.getTransactionCount({ address: grant.session })).toBe(spent.transactions)
    console.log(`evening: ${JSON.stringify(spent)}`)
    for (const [line, printed] of [
      [
        'status',
        /^0 active · 0 TOK of 17,000 TOK left · 77.00 USDC in the deposit · 0 tasks running, 0 deadlines · earned 18,000 TOK$/m,
      ],
      ['revoke', /^0 The grant has ended: 0x[0-9a-f]{64}$/m],
      ['status', /^0 ended · 0 TOK of 17,000 TOK left/],
      ['grant --market none', /^2 --market is standard or micro/],
      ['grant --market micro --until never', /^2 --until is a time/],
      ['sign', /^2 .*unknown command/s],
    ] as const)
      expect(await made.svcAgent(line), line).toMatch(printed)
  })
}

/** A file of the brief for everyone: the text of the task names it with its hash. */
const style = 'Two lines at most.'

/** Answers a question, chooses with a signed permit, sends a brief, and accepts. */
async function servePermitTask(poster: McpAgent, id: string): Promise<void> {
  const to = await waitForTurn(poster, id, 'Question')
  await poster.use('svc_send_message', { id, kind: 'answer', to, text: 'Portuguese.' })
  await poster.use('svc_send_message', { id, kind: 'choose', to: await waitForTurn(poster, id, 'Application') })
  await untilState(poster, id, 'CLAIMED')
  await writeOutbox(poster.workFolder, id, 'film.txt', 'Scene 1: a harbour.')
  await writeOutbox(poster.workFolder, id, 'style.txt', style)
  await poster.use('svc_send_work', { id, kind: 'brief', text: 'The film.', files: ['film.txt', 'style.txt'] })
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
  await untilAllowed(worker, id)
  await act(worker, 'claim-task', id)
  await untilState(worker, id, 'ACTIVE')
  // The store may be a block behind.
  const { opened } = await vi.waitFor(() => worker.use('svc_read_work', { id }), { timeout: 30_000, interval: 300 })
  expect(opened).toMatchObject({ untrustedText: 'The subtitles.', untrustedFiles: [{ text: 'All of them.' }] })
  await writeOutbox(worker.workFolder, id, 'film.srt', 'No mistakes left.')
  const delivery = { id, kind: 'delivery', text: 'Read.', files: ['film.srt'], calls: true }
  await worker.approve((await worker.use('svc_send_work', delivery)).prepared)
}
