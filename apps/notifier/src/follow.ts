import { loadTaskEvents, marketNumber } from '@svc/index'
import type { Market } from '@svc/protocol'
import { walletRules } from '@svc/protocol/internal/notifications'
import { type NotificationPlan, type PlannedNotification, planNotifications } from '@svc/protocol/notifications'
import type { Sql, TransactionSql } from 'postgres'
import { type Address, getAddress, keccak256, stringToBytes } from 'viem'
import { leaveOutInvitations } from './records/invitations.ts'
import { findLowDeposits, type LowDeposit } from './records/lowDeposits.ts'
import { loadStored, type StoredNotification, writeDifferences } from './records/outbox.ts'
import { findFork, moveCursor, readPosition } from './records/position.ts'
import { findMatches } from './records/searches.ts'
import { keptDays } from './records/sweep.ts'

export interface FollowOptions {
  market: Market
  finalCourt: Address
  /** Public URL of the web site, without a slash at the end. */
  siteUrl: string
  /** The first block whose events have messages, for a notifier that starts for the first time. By default, the one after the last. */
  since?: bigint
}

export interface FollowReport {
  /** Whether the index has been read up to its last block, and every reminder that is due was written. */
  isAtEnd: boolean
  /** Timestamp of the block up to which it was read; null while the index has none. */
  timestamp: number | null
  /** The kinds of what was written. */
  written: readonly string[]
}

/** Events and tasks of one step: a step stays short, whatever happens at once. */
const maxEvents = 2_000
const maxTasks = 500
/** What is older was sent and swept since. */
const maxAgeDays = keptDays - 1
/** The most events of one task that are read. A task with more is followed no further. */
const maxTaskEvents = 5_000

/**
 * Reads the index from where the last step ended and writes what is to be sent, in one transaction. What should have been sent about a
 * task follows from its events and the time alone (`planNotifications`), so a step can be repeated, and a reorganisation needs no
 * other code than new events: the difference is written.
 */
export async function followIndex(sql: Sql, options: FollowOptions): Promise<FollowReport> {
  const market = marketNumber(options.market)
  return sql.begin('isolation level repeatable read', async (step) => {
    const position = await readPosition(step, market, options.since)
    if (!position) return { isAtEnd: true, timestamp: null, written: [] }
    const fork = await findFork(step, market, position)
    const end = await findEnd(step, market, fork, position.index)
    const tasks = await findTasks(step, market, fork, position.cursor.number, end)
    const histories = await loadTaskEvents(step, market, tasks.found, { upTo: end.number, limit: maxTaskEvents })
    const known = await loadStored(step, market, tasks.found)
    const planned = histories.map(({ task, events }) => {
      const plan = planNotifications({ ...options, events, now: end.timestamp })
      return { task, plan, ...compare(plan, known.get(task) ?? [], position.cursor.since, end.timestamp) }
    })
    const changes = await leaveOutInvitations(step, market, planned)
    const first = fork >= position.cursor.since ? fork : position.cursor.since - 1n
    const matched = await planMatches(step, market, changes, known, { first, now: end.timestamp })
    const low = await findLowDeposits(step, market, tasks.found)
    const written = await writeDifferences(
      step,
      market,
      { ...options, now: end.timestamp, block: end.number },
      changes.map((each) => ({ ...each, missing: [...each.missing, ...(matched.get(each.task) ?? [])] })),
      low.map((each) => planWarning(each, options, end)),
    )
    await saveClocks(step, market, changes)
    await moveCursor(step, market, fork, end, tasks.found)
    return { isAtEnd: end.number === position.index.number && !tasks.hasMore, timestamp: end.timestamp, written }
  })
}

/** What is to be sent, and what no longer holds. */
function compare(
  { notifications, allowed, posted }: NotificationPlan,
  known: readonly StoredNotification[],
  since: bigint,
  now: number,
) {
  const plannedIds = new Set(notifications.map(({ id }) => id))
  // A match of a saved search holds for as long as the task was posted.
  const isPlanned = (id: string) => plannedIds.has(id) || (posted !== null && id.startsWith(`${posted.id}_`))
  const knownIds = new Set(known.map(({ id }) => id))
  return {
    missing: notifications.filter(
      // Reminders of a clock that started before the notifier did still help.
      ({ id, block, isReminder, createdAt }) =>
        !knownIds.has(id) && (block >= since || isReminder) && createdAt > now - maxAgeDays * 86_400,
    ),
    wrong: known.filter(({ id, isCorrected }) => !isCorrected && !isPlanned(id) && !allowed.has(id)),
    // The same transaction came back after it was corrected.
    restored: known.filter(({ id, isCorrected }) => isCorrected && isPlanned(id)),
  }
}

/** The matches of saved searches with tasks that were posted after a block, by task. Those that are known are left out. */
async function planMatches(
  step: TransactionSql,
  market: number,
  changes: readonly { task: bigint; plan: NotificationPlan }[],
  known: ReadonlyMap<bigint, readonly StoredNotification[]>,
  { first, now }: { first: bigint; now: number },
): Promise<ReadonlyMap<bigint, readonly PlannedNotification[]>> {
  const { searchMatched: rule } = walletRules
  const posts = new Map(
    changes.flatMap(({ task, plan: { posted } }) => (posted && posted.block > first ? [[task, posted]] : [])),
  )
  const found = (await findMatches(step, market, [...posts.keys()])).flatMap(
    (match): [bigint, PlannedNotification][] => {
      const posted = posts.get(match.task)
      const id = `${posted?.id}_${match.id}`
      if (!posted || known.get(match.task)?.some((each) => each.id === id)) return []
      const subject = { search: match.name, title: match.title, payTokWei: match.pay }
      const notification = {
        id,
        kind: rule.kind,
        isReminder: false,
        urgency: rule.urgency,
        wallet: getAddress(match.wallet),
        title: rule.title(subject),
        text: rule.text(subject),
        deadline: null,
        block: posted.block,
        createdAt: now,
      }
      return [[match.task, notification]]
    },
  )
  const byTask = Map.groupBy(found, ([task]) => task)
  return new Map([...byTask].map(([task, list]) => [task, list.map(([, each]) => each)]))
}

function planWarning({ wallet, deposit }: LowDeposit, { market }: FollowOptions, end: End): PlannedNotification {
  const { depositLow: rule } = walletRules
  return {
    id: `ntf_${keccak256(stringToBytes(`${market}|${rule.kind}|${wallet}|${end.number}`)).slice(2, 42)}`,
    kind: rule.kind,
    isReminder: false,
    urgency: rule.urgency,
    wallet,
    title: rule.title({ deposit }),
    text: rule.text(),
    deadline: null,
    block: Number(end.number),
    createdAt: end.timestamp,
  }
}

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
async function findTasks(
  step: TransactionSql,
  market: number,
  fork: bigint,
  cursor: bigint,
  { number, timestamp }: End,
) {
  const seen = await step<{ task: string }[]>`
    select distinct task from market.event
    where market = ${market} and block > ${String(fork)}::bigint and block <= ${String(number)}::bigint and task is not null`
  const removed =
    fork < cursor
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
