// Whole disputes and notices with the tools alone: each step is one that `svc_task_next_steps` offers the wallet, prepared by
// `svc_prepare` from a text and the task, and sent as it is.
import { accounts, advanceTime, createScene, sendActivation, sendClaim, sendPost, sendTransaction } from '@svc/devnet'
import type { MarketParams } from '@svc/protocol'
import type { ActionName, Call } from '@svc/protocol/actions'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import type { ToolDeps } from '../../apps/tools/src/tool.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { tools } from '../../apps/tools/src/tools/index.ts'
import { type Furnished, startFurnishedScene } from '../protocol/furnishedScene.ts'

const people = {
  poster: accounts.bruno,
  worker: accounts.emeka,
  judge: accounts.jun,
  other: accounts.lena,
  court: accounts.court,
  keeper: accounts.keeper,
} as const

type Step =
  | readonly [by: keyof typeof people, action: ActionName, input?: object]
  | (keyof MarketParams & `${string}Window`)

const open: Step = ['poster', 'open-dispute']
const seat: readonly Step[] = [
  ['worker', 'propose-arbitrator'],
  ['judge', 'propose-arbitrator'],
]
const answer: Step = ['worker', 'submit-evidence']
const deliver: Step = ['worker', 'submit-proof']
const notice: Step = ['poster', 'dismiss-worker']

const lives: readonly { how: string; steps: readonly Step[]; state: string; ending?: string }[] = [
  {
    how: 'the judge of the terms, whom the worker names too, rules',
    steps: [
      deliver,
      open,
      ...seat,
      answer,
      'evidenceWindow',
      ['judge', 'resolve-dispute', { forWorker: true }],
      'appealWindow',
      ['keeper', 'finalize-dispute'],
    ],
    state: 'RESOLVED',
    ending: 'RULED',
  },
  {
    how: 'nobody is named, and the court decides',
    steps: [
      deliver,
      open,
      'consentWindow',
      ['keeper', 'resolve-timed-out'],
      answer,
      'evidenceWindow',
      ['court', 'decide-dispute', { forWorker: false }],
    ],
    state: 'RESOLVED',
    ending: 'DECIDED',
  },
  {
    how: 'the judge gives the case back, another one rules, and the court hears the appeal',
    steps: [
      deliver,
      open,
      ...seat,
      ['judge', 'step-down'],
      ['poster', 'propose-arbitrator', { arbitrator: accounts.lena.address }],
      ['worker', 'propose-arbitrator'],
      ['other', 'propose-arbitrator'],
      answer,
      'evidenceWindow',
      ['other', 'resolve-dispute', { forWorker: false }],
      ['worker', 'escalate'],
      ['court', 'decide-dispute', { forWorker: true }],
    ],
    state: 'RESOLVED',
    ending: 'DECIDED',
  },
  {
    how: 'after a notice the worker delivers and is paid',
    steps: [notice, deliver, ['poster', 'accept-milestone']],
    state: 'COMPLETED',
  },
  { how: 'after a notice the worker stops at once', steps: [notice, ['worker', 'expire-task']], state: 'EXPIRED' },
  {
    how: 'after a notice nobody does anything',
    steps: [notice, 'evidenceWindow', ['keeper', 'expire-task']],
    state: 'EXPIRED',
  },
]

let world: Furnished
let deps: ToolDeps
beforeAll(async () => {
  world = await startFurnishedScene()
  const { rpcUrl, deployments } = world.devnet
  deps = createToolDeps(openMarkets([rpcUrl], deployments), 'http://127.0.0.1:9')
})
afterAll(() => world?.devnet.stop())

test.each(lives)('$how', async ({ steps, state, ending }) => {
  const { client, deployments } = world.devnet
  const scene = createScene(client, deployments, 'standard')
  const { poster, worker, judge } = people
  const amounts = [parseUnits('300', 18), parseUnits('700', 18)]
  const offer = { poster, text: 'Draw a map\n\nOf the old harbour.', amounts, duration: 2 * 86_400 }
  const isNamed = steps.includes(seat[0] ?? open)
  const job = await sendPost(scene, { ...offer, ...(isNamed && { arbitrator: judge.address }) })
  await sendClaim(scene, job, worker)
  await sendActivation(scene, job)
  const taskId = `v2:standard:${job.id}`
  for (const step of steps) {
    if (typeof step === 'string') {
      await advanceTime(client, scene.params[step] + 60)
      continue
    }
    const [by, action, input = {}] = step
    const account = people[by]
    const { address } = account
    const next = await use('svc_task_next_steps', { id: taskId, address })
    expect(
      next.steps.map((each: { action: string }) => each.action),
      `${by}: ${action}`,
    ).toContain(action)
    const needsText = ['submit-proof', 'open-dispute', 'submit-evidence', 'resolve-dispute', 'decide-dispute']
    const text = needsText.includes(action) ? { text: `What ${by} says.` } : {}
    const prepared = await use('svc_prepare', { action, input: { taskId, ...input }, address, calls: true, ...text })
    expect(prepared, `${by}: ${action}`).toMatchObject({ ready: true })
    for (const { to, data } of prepared.sendCalls.calls as Call[]) await sendTransaction(client, account, { to, data })
  }
  const { task } = await use('svc_get_task', { id: taskId })
  expect([task.state, task.dispute?.ending]).toEqual([state, ending])
})

// biome-ignore lint/suspicious/noExplicitAny: the test reads what each tool says it returns.
async function use(name: string, args: Record<string, unknown>): Promise<any> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw new Error(`No tool is called ${name}.`)
  const { isError, content, structuredContent } = await callTool(tool, args, deps, (error) => {
    throw error
  })
  expect(isError ?? false, JSON.stringify(content)).toBe(false)
  return structuredContent
}
