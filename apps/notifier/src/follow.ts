import { loadTaskEvents, marketNumber } from '@svc/index'
import type { Market } from '@svc/protocol'
import { type NotificationPlan, planNotifications } from '@svc/protocol/notifications'
import type { Sql, TransactionSql } from 'postgres'
import type { Address } from 'viem'
import { loadTold, type Told, writeDifferences } from './records/outbox.ts'
import { findFork, moveCursor, readPosition } from './records/position.ts'
import { keptDays } from './records/sweep.ts'

export interface FollowOptions {
  market: Market
  finalCourt: Address
  /** Public URL of the web site, without a slash at the end. */
  siteUrl: string
  /** The first block whose events are told, for a notifier that starts for the first time. By default, the one after the last. */
  since?: bigint
}

export interface FollowReport {
  /** Whether the index has been read up to its last block, and every reminder that is due was told. */
  isAtEnd: boolean
  /** The kinds of what was told or corrected. */
  told: readonly string[]
}

/** Events and tasks of one step: a step stays short, whatever happens at once. */
const maxEvents = 2_000
const maxTasks = 500
/** What is older was told and swept since. */
const toldDays = keptDays - 1
/** The most events of one task that are read. A task with more is followed no further. */
const maxTaskEvents = 5_000

/**
 * Reads the index from where the last step ended and writes what is to be told, in one transaction. What should have been told of a
 * task follows from its events and the time alone (`planNotifications`), so a step can be repeated, and a reorganisation needs no
 * other code than new events: the difference is written.
 */
export async function followIndex(sql: Sql, options: FollowOptions): Promise<FollowReport> {
  const market = marketNumber(options.market)
  return sql.begin('isolation level repeatable read', async (step) => {
    const position = await readPosition(step, market, options.since)
    if (!position) return { isAtEnd: true, told: [] }
    const fork = await findFork(step, market, position)
    const end = await findEnd(step, market, fork, position.index)
    const tasks = await findTasks(step, market, fork, position.own.number, end)
    const histories = await loadTaskEvents(step, market, tasks.found, { upTo: end.number, limit: maxTaskEvents })
    const known = await loadTold(step, market, tasks.found)
    const changes = histories.map(({ task, events }) => {
      const plan = planNotifications({ ...options, events, now: end.timestamp })
      return { task, plan, ...compare(plan, known.get(task) ?? [], position.own.since, end.timestamp) }
    })
    const told = await writeDifferences(step, market, { ...options, now: end.timestamp, block: end.number }, changes)
    await saveClocks(step, market, changes)
    await moveCursor(step, market, fork, end, tasks.found)
    return { isAtEnd: end.number === position.index.number && !tasks.hasMore, told }
  })
}

/** What is to be told, and what no longer holds. */
function compare({ told, allowed }: NotificationPlan, known: readonly Told[], since: bigint, now: number) {
  const planned = new Set(told.map(({ id }) => id))
  const knownIds = new Set(known.map(({ id }) => id))
  return {
    missing: told.filter(
      ({ id, block, kind, createdAt }) =>
        !knownIds.has(id) && (block >= since || isReminder(kind)) && createdAt > now - toldDays * 86_400,
    ),
    wrong: known.filter(({ id, isCorrected }) => !isCorrected && !planned.has(id) && !allowed.has(id)),
    // The same transaction came back after it was corrected.
    restored: known.filter(({ id, isCorrected }) => isCorrected && planned.has(id)),
  }
}

/** Reminders of a clock that started before the notifier did still help. */
const isReminder = (kind: string) => /-(?:quarter|hour|over)$/.test(kind)

interface End {
  number: bigint
  hash: Buffer
  timestamp: number
  finalized: bigint
}

/** The block up to which this step goes: the last one, or an earlier one after many events. */
async function findEnd(step: TransactionSql, market: number, fork: bigint, index: End): Promise<End> {
  const [last] = await step<{ block: string }[]>`
    select block from market.event where market = ${market} and block > ${String(fork)}::bigint
    order by block, log_index offset ${maxEvents} limit 1`
  if (!last) return index
  const [header] = await step<{ hash: Buffer; timestamp: string }[]>`
    select coalesce((select hash from market.header h where h.market = ${market} and h.number = ${last.block}::bigint), '') as hash,
      "timestamp" from market.event where market = ${market} and block = ${last.block}::bigint limit 1`
  return {
    ...index,
    number: BigInt(last.block),
    hash: header?.hash ?? Buffer.alloc(0),
    timestamp: Number(header?.timestamp),
  }
}

/** Tasks with new events, with events that a reorganisation removed, and with a reminder that is due. */
async function findTasks(step: TransactionSql, market: number, fork: bigint, own: bigint, { number, timestamp }: End) {
  const seen = await step<{ task: string }[]>`
    select distinct task from market.event
    where market = ${market} and block > ${String(fork)}::bigint and block <= ${String(number)}::bigint and task is not null`
  const removed =
    fork < own
      ? await step<{ task: string }[]>`
          select distinct task from notify.touched where market = ${market} and block > ${String(fork)}::bigint`
      : []
  const due = await step<{ task: string }[]>`
    select task from notify.clock where market = ${market} and due <= ${timestamp} order by due limit ${maxTasks}`
  const found = [...new Set([...seen, ...removed, ...due].map(({ task }) => task))].map(BigInt)
  return { found, hasMore: due.length === maxTasks }
}

async function saveClocks(
  step: TransactionSql,
  market: number,
  changes: readonly { task: bigint; plan: NotificationPlan }[],
): Promise<void> {
  const clocks = changes.map(({ task, plan }) => ({ task: String(task), due: plan.nextDue }))
  await step`
    with given as (
      select task, due from jsonb_to_recordset(${JSON.stringify(clocks)}::text::jsonb) as g (task bigint, due bigint)),
    ended as (
      delete from notify.clock c using given where c.market = ${market} and c.task = given.task and given.due is null)
    insert into notify.clock (market, task, due) select ${market}, task, due from given where due is not null
    on conflict (market, task) do update set due = excluded.due`
}
