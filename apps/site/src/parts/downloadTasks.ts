import type { TaskJson } from '@svc/client'
import { formatAmount, formatTime, type Market } from '@svc/protocol'
import { api } from '../api.ts'

const columns = [
  'task',
  'role',
  'state',
  'posted',
  'poster',
  'worker',
  'budget TOK',
  'funded TOK',
  'paid TOK',
  'refunded TOK',
] as const
/** At 100 tasks a page, more than a person has. */
const maxPages = 50

/** Saves every task of a wallet in a market as a CSV file. The text of tasks is not in it: strangers write it. */
export async function downloadTasks(address: string, market: Market, file: string): Promise<void> {
  const posted = await listAll((cursor) => api.listTasksByPoster({ address, market, ...cursor }))
  const worked = await listAll((cursor) => api.listTasksByWorker({ address, market, ...cursor }))
  const rows = [...posted.map((task) => formatRow('poster', task)), ...worked.map((task) => formatRow('worker', task))]
  const csv = [columns, ...rows].map((row) => row.join(',')).join('\r\n')
  const url = URL.createObjectURL(new Blob([csv, '\r\n'], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  URL.revokeObjectURL(url)
}

type ReadPage = (cursor: { cursor?: string }) => Promise<{
  body: { tasks: TaskJson[]; meta: { nextCursor: string | null } }
}>

async function listAll(readPage: ReadPage): Promise<TaskJson[]> {
  const tasks: TaskJson[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const { body }: Awaited<ReturnType<ReadPage>> = await readPage(cursor === null ? {} : { cursor })
    tasks.push(...body.tasks)
    cursor = body.meta.nextCursor
    if (cursor === null) break
  }
  return tasks
}

function formatRow(role: string, task: TaskJson): string[] {
  const { id, state, postedAt, poster, worker = '' } = task
  const amounts = [task.totalAmountTokWei, task.fundedTokWei, task.releasedTokWei, task.refundedTokWei]
  return [id, role, state, formatTime(postedAt), poster, worker, ...amounts.map(formatNumber)]
}

/** Without symbol and thousands separators, which a CSV cannot hold. */
const formatNumber = (wei: string): string => formatAmount(BigInt(wei), 'tok').replaceAll(/,| TOK/g, '')
