import type { MarketReader } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Address } from 'viem'

/** The current UTC day by the database clock, in unix seconds. */
export interface Day {
  now: number
  start: number
  end: number
}

/** A wallet's posts of today, up to a block. */
export interface DayPosts {
  day: Day
  upTo: bigint
  /** The task numbers. */
  tasks: ReadonlySet<string>
}

/** Upper bound for the count of one day. Every plan's limit is far below it, and each post costs a fee. */
const maxPosts = 10_000

const secondsOfDay = 24 * 60 * 60

const parseDay = ({ now, start }: { now: string; start: string }): Day => ({
  now: Number(now),
  start: Number(start),
  end: Number(start) + secondsOfDay,
})

const isWithin = (seconds: number, { start, end }: Day) => seconds >= start && seconds < end

/**
 * Counts today's posts in one statement; null if the market has no index. It walks back from the wallet's newest task and
 * stops at the first one of an earlier day, so its cost depends on today's posts only.
 */
export async function readIndexedPosts(sql: Sql, market: Market, wallet: Address): Promise<DayPosts | null> {
  const [number, poster] = [marketNumber(market), toBytes(wallet)]
  const newest = (below = sql``) => sql`
    select key, (state::jsonb->>'postedAt')::bigint as posted_at, state::jsonb->>'scope' as scope from market.task
    where market = ${number} and poster = ${poster} ${below} order by key desc limit 1`
  const [row] = await sql<{ now: string; start: string; number: string; posts: [string, number][] }[]>`
    with recursive clock as (${clock(sql)}),
    walk as (
      select * from (${newest()}) as first
      union all
      select next.* from walk, clock, lateral (${newest(sql`and key < walk.key`)}) as next where walk.posted_at >= clock.start
    )
    select clock.now, clock.start, c.number, (
      select coalesce(json_agg(json_build_array(key::text, posted_at)), '[]')
      from (select * from walk where scope = 'OPEN' limit ${maxPosts}) as posts) as posts
    from clock, market.cursor c where c.market = ${number} and c.halted is null`
  if (!row) return null
  const day = parseDay(row)
  const tasks = row.posts.filter(([, seconds]) => isWithin(seconds, day)).map(([task]) => task)
  return { day, upTo: BigInt(row.number), tasks: new Set(tasks) }
}

/** Reads only the day, for when the posts come from another source. */
export async function readToday(sql: Sql): Promise<Day> {
  const [row] = await sql<{ now: string; start: string }[]>`${clock(sql)}`
  if (!row) throw new Error('The database returned no row for its current day.')
  return parseDay(row)
}

const clock = (sql: Sql) => sql`
  select extract(epoch from now())::bigint as now, extract(epoch from date_trunc('day', now(), 'UTC'))::bigint as start`

/** Counts today's posts directly on the chain. */
export async function readChainPosts(
  reader: MarketReader,
  market: Market,
  wallet: Address,
  day: Day,
): Promise<DayPosts> {
  const tasks = new Set<string>()
  let upTo: bigint | undefined
  let before: bigint | undefined
  do {
    const page = await reader.listByPoster(market, wallet, { limit: 100, before })
    upTo ??= page.block.number
    const recent = page.tasks.filter(({ postedAt }) => postedAt >= day.start)
    for (const task of recent) if (task.scope === 'OPEN' && isWithin(task.postedAt, day)) tasks.add(String(task.number))
    before = recent.length === page.tasks.length ? (page.next ?? undefined) : undefined
  } while (before !== undefined && tasks.size < maxPosts)
  return { day, upTo, tasks }
}
