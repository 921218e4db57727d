import { vi } from 'vitest'
import type { McpAgent } from './wholeJob.ts'

// Steps of the other sides, by MCP, and waits for what the agent does.

const market = 'micro'

const readState = async (agent: McpAgent, id: string): Promise<string> =>
  (await agent.use('svc_get_task', { id })).task.state

/** Posts a task; `more` replaces or adds terms. */
export async function postQuayTask(
  poster: McpAgent,
  title: string,
  claimPolicy: string,
  more: object = {},
): Promise<string> {
  const terms = {
    market,
    title,
    criteria: 'One .srt file for every scene.',
    milestones: [{ title: 'All subtitles', amount: '6,000 TOK', duration: '2 hours' }],
    claimPolicy,
    reviewWithin: '2 hours',
    ...more,
  }
  const before = await listPosted(poster, poster.address)
  await poster.approve(await poster.use('svc_prepare', { action: 'post-task', input: { terms }, calls: true }))
  const find = async () =>
    (await listPosted(poster, poster.address)).find(({ id }) => before.every((each) => each.id !== id))
  return (await vi.waitUntil(find, { timeout: 60_000, interval: 200 })).id
}

async function listPosted(reader: McpAgent, address: string): Promise<{ id: string; untrustedTitle?: string }[]> {
  return (await reader.use('svc_list_tasks_by_poster', { market, limit: 10, address })).tasks
}

/** Waits until a poster has a task with this title. */
export async function findPosted(reader: McpAgent, title: string, address: string): Promise<string> {
  const find = async () => (await listPosted(reader, address)).find(({ untrustedTitle }) => untrustedTitle === title)
  return (await vi.waitUntil(find, { timeout: 120_000, interval: 300 })).id
}

export const act = async (agent: McpAgent, action: string, id: string) =>
  agent.approve(await agent.use('svc_prepare', { action, input: { taskId: id }, calls: true }))

export const untilState = (agent: McpAgent, id: string, state: string) =>
  vi.waitUntil(async () => (await readState(agent, id)) === state, { timeout: 120_000, interval: 300 })

/** Waits until somebody has delivered with a receipt. */
export const untilDelivered = (agent: McpAgent, id: string, revision: number) =>
  vi.waitUntil(
    async () => {
      const { task } = await agent.use('svc_get_task', { id })
      return task.receipted && task.revisions === revision
    },
    { timeout: 120_000, interval: 300 },
  )

/** Waits until a thread of a task says that it is one's turn because of a question or an application, and returns the other side. */
export const waitForTurn = (agent: McpAgent, id: string, kind: string): Promise<string> =>
  vi.waitUntil(
    async () => {
      const { threads } = await agent.use('svc_read_messages', { id })
      return threads.find((each: { turn: string }) => each.turn.includes(kind))?.with as string | undefined
    },
    { timeout: 120_000, interval: 300 },
  )

export const untilAllowed = (worker: McpAgent, id: string) =>
  vi.waitUntil(
    async () =>
      (await worker.use('svc_get_task', { id })).task.allowedWorker?.toLowerCase() === worker.address.toLowerCase(),
    { timeout: 120_000, interval: 300 },
  )
