import { formatTaskId, type Market } from '@svc/protocol'
import type { PlannedNotification } from '@svc/protocol/notifications'
import type { TransactionSql } from 'postgres'
import { scheduleDeliveries } from './deliveries.ts'

/** A notification of a task that was written before. */
export interface Told {
  seq: string
  id: string
  wallet: string
  isCorrected: boolean
  title: string
}

/** Loads what was told of tasks. */
export async function loadTold(
  step: TransactionSql,
  market: number,
  tasks: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly Told[]>> {
  const rows = await step<(Omit<Told, 'isCorrected'> & { task: string; is_corrected: boolean })[]>`
    select task, seq, id, wallet, title, is_corrected from notify.notification
    where market = ${market} and task = any(${`{${tasks.join(',')}}`}::bigint[]) and kind <> 'corrected'`
  const told = new Map<bigint, Told[]>()
  for (const { task, is_corrected, ...row } of rows) {
    const list = told.get(BigInt(task)) ?? []
    list.push({ ...row, isCorrected: is_corrected })
    told.set(BigInt(task), list)
  }
  return told
}

/** What changes for a task. */
interface Change {
  task: bigint
  missing: readonly PlannedNotification[]
  wrong: readonly Told[]
  restored: readonly Told[]
}

interface Row {
  id: string
  wallet: string
  task: string
  kind: string
  urgency: string
  title: string
  text: string
  url: string
  deadline: number | null
  created_at: number
  block: number
  corrects: string | null
}

/**
 * Writes new notifications, and corrects what no longer holds: the original is marked, and a `corrected` message goes to every
 * channel that may have sent the original. Returns the kinds.
 */
export async function writeDifferences(
  step: TransactionSql,
  market: number,
  { market: name, siteUrl, now, block }: { market: Market; siteUrl: string; now: number; block: bigint },
  changes: readonly Change[],
): Promise<string[]> {
  const toUrl = (task: bigint) => `${siteUrl}/tasks/${formatTaskId({ market: name, number: task })}`
  const rows = changes.flatMap(({ task, missing, wrong, restored }): Row[] => [
    ...wrong.map((each) => ({
      ...formatCorrection(each, 'no longer holds'),
      text: `A reorganisation of the chain took it back: "${each.title}". Look at the task before you act.`,
      task: String(task),
      url: toUrl(task),
      created_at: now,
      block: Number(block),
    })),
    ...restored.map((each) => ({
      ...formatCorrection(each, 'holds again'),
      text: `It was taken back, and is on chain again: "${each.title}".`,
      task: String(task),
      url: toUrl(task),
      created_at: now,
      block: Number(block),
    })),
    ...missing.map(({ id, wallet, kind, urgency, title, text, deadline, createdAt, block: from }) => ({
      id,
      wallet,
      task: String(task),
      kind,
      urgency,
      title,
      text,
      url: toUrl(task),
      deadline,
      created_at: createdAt,
      block: from,
      corrects: null,
    })),
  ])
  if (rows.length === 0) return []
  // The order of seq is the order of commits: a reader that polls by it misses nothing.
  await step`select pg_advisory_xact_lock(hashtext('svc_notify_outbox'))`
  const mark = (ids: readonly Told[], isCorrected: boolean) =>
    ids.length === 0
      ? null
      : step`update notify.notification set is_corrected = ${isCorrected}
          where seq = any(${`{${ids.map(({ seq }) => seq).join(',')}}`}::bigint[])`
  await mark(
    changes.flatMap(({ wrong }) => wrong),
    true,
  )
  await mark(
    changes.flatMap(({ restored }) => restored),
    false,
  )
  const placed = rows.map((row, place) => ({ ...row, place }))
  const written = await step<{ seq: string }[]>`
    insert into notify.notification
      (id, wallet, market, task, kind, urgency, title, text, url, deadline, created_at, data, block, corrects)
    select id, wallet, ${market}, task, kind, urgency, title, text, url, deadline, created_at, '{}', block, corrects
    from jsonb_to_recordset(${JSON.stringify(placed)}::text::jsonb) as r (id text, wallet text, task bigint, kind text,
      urgency text, title text, text text, url text, deadline bigint, created_at bigint, block bigint, corrects text, place bigint)
    order by place returning seq`
  await scheduleDeliveries(
    step,
    written.map(({ seq }) => seq),
  )
  return rows.map(({ kind }) => kind)
}

/** The message about an earlier one. Its own id changes every time that the original is taken back or comes back. */
function formatCorrection({ id, wallet, seq, title }: Told, says: string) {
  return {
    id: `${id}_${says === 'no longer holds' ? 'off' : 'on'}_${Date.now().toString(36)}${seq}`,
    wallet,
    kind: 'corrected',
    urgency: 'info',
    title: `${title}: ${says}`,
    deadline: null,
    corrects: id,
  }
}
