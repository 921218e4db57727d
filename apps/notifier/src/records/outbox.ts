import { formatTaskId, type Market } from '@svc/protocol'
import type { PlannedNotification } from '@svc/protocol/notifications'
import type { TransactionSql } from 'postgres'
import { scheduleDeliveries } from './deliveries.ts'

/** A notification of a task that was written before. */
export interface StoredNotification {
  seq: string
  id: string
  wallet: string
  isCorrected: boolean
  title: string
  /** How often it was taken back or came back. */
  corrections: number
}

/** Loads the notifications of tasks that were written before. */
export async function loadStored(
  step: TransactionSql,
  market: number,
  tasks: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly StoredNotification[]>> {
  const rows = await step<
    {
      task: string
      seq: string
      id: string
      wallet: string
      title: string
      is_corrected: boolean
      corrects: string | null
    }[]
  >`
    select task, seq, id, wallet, title, is_corrected, corrects from notify.notification
    where market = ${market} and task = any(${`{${tasks.join(',')}}`}::bigint[])`
  const corrections = new Map<string, number>()
  for (const { corrects } of rows)
    if (corrects !== null) corrections.set(corrects, (corrections.get(corrects) ?? 0) + 1)
  const stored = rows.flatMap(({ task, is_corrected, corrects, ...row }) =>
    corrects === null ? [{ task, ...row, isCorrected: is_corrected, corrections: corrections.get(row.id) ?? 0 }] : [],
  )
  return Map.groupBy(stored, ({ task }) => BigInt(task))
}

/** What changes for a task. */
interface Change {
  task: bigint
  missing: readonly PlannedNotification[]
  wrong: readonly StoredNotification[]
  restored: readonly StoredNotification[]
}

/** A notification that is written. */
export interface NotificationInsert {
  id: string
  wallet: string
  task: string | null
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
 * channel that may have sent the original. `warnings` are about no task. Returns the kinds.
 */
export async function writeDifferences(
  step: TransactionSql,
  market: number,
  { market: name, siteUrl, now, block }: { market: Market; siteUrl: string; now: number; block: bigint },
  changes: readonly Change[],
  warnings: readonly PlannedNotification[],
): Promise<string[]> {
  const toUrl = (task: bigint) => `${siteUrl}/tasks/${formatTaskId({ market: name, number: task })}`
  const rows = changes.flatMap(({ task, missing, wrong, restored }): NotificationInsert[] => [
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
    ...missing.map((each) => toRow(each, String(task), toUrl(task))),
  ])
  rows.push(...warnings.map((each) => toRow(each, null, `${siteUrl}/wallet`)))
  const mark = (ids: readonly StoredNotification[], isCorrected: boolean) =>
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
  return insertNotifications(step, market, rows)
}

/** Writes notifications and what is to be sent of them. `market` is null if they belong to none. Returns the kinds. */
export async function insertNotifications(
  step: TransactionSql,
  market: number | null,
  rows: readonly NotificationInsert[],
): Promise<string[]> {
  if (rows.length === 0) return []
  // The order of seq is the order of commits: a reader that polls by it misses nothing.
  await step`select pg_advisory_xact_lock(hashtext('svc_notify_outbox'))`
  const placed = rows.map((row, place) => ({ ...row, place }))
  const written = await step<{ seq: string }[]>`
    insert into notify.notification
      (id, wallet, market, task, kind, urgency, title, text, url, deadline, created_at, data, block, corrects)
    select id, wallet, ${market}::smallint, task, kind, urgency, title, text, url, deadline, created_at, '{}', block, corrects
    from jsonb_to_recordset(${JSON.stringify(placed)}::text::jsonb) as r (id text, wallet text, task bigint, kind text,
      urgency text, title text, text text, url text, deadline bigint, created_at bigint, block bigint, corrects text, place bigint)
    order by place returning seq`
  await scheduleDeliveries(
    step,
    written.map(({ seq }) => seq),
  )
  return rows.map(({ kind }) => kind)
}

const toRow = (
  { createdAt, isReminder: _, ...rest }: PlannedNotification,
  task: string | null,
  url: string,
): NotificationInsert => ({
  ...rest,
  task,
  url,
  created_at: createdAt,
  corrects: null,
})

/** The message about an earlier one. Its id counts how often the original was taken back or came back. */
function formatCorrection({ id, wallet, title, corrections }: StoredNotification, correction: string) {
  return {
    id: `${id}_${corrections + 1}`,
    wallet,
    kind: 'corrected',
    urgency: 'info',
    title: `${title}: ${correction}`,
    deadline: null,
    corrects: id,
  }
}
