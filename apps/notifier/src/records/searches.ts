import { randomBytes } from 'node:crypto'
import { buildWordQuery, marketNumber } from '@svc/index'
import { maxSearches, ServiceError } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { SearchFilter } from '@svc/protocol/internal/tasks'
import type { Database } from '@svc/serve'
import type { TransactionSql } from 'postgres'
import type { Address } from 'viem'

interface SavedSearch {
  id: string
  name: string
  search: string
  /** Unix seconds. */
  createdAt: number
}

interface NewSearch {
  name: string
  /** As the wallet sent it. */
  search: string
  market: Market
  filter: SearchFilter
}

export interface Searches {
  list: (wallet: Address) => Promise<readonly SavedSearch[]>
  /** Throws TOO_MANY_SEARCHES. */
  save: (wallet: Address, search: NewSearch, isEstablished: boolean) => Promise<string>
  remove: (wallet: Address, id: string) => Promise<boolean>
}

/** The most saved searches: a new task is compared with all of its market. Of wallets that are not established, fewer. */
const [maxTotal, maxNewcomers] = [50_000, 5_000]

export function createSearches(database: Database): Searches {
  return {
    list: (wallet) =>
      database(
        (sql) => sql<SavedSearch[]>`
          select id, name, search, floor(extract(epoch from created_at))::int as "createdAt"
          from notify.search where wallet = ${wallet} order by created_at, id`,
      ),
    async save(wallet, { name, search, market, filter }, isEstablished) {
      // Not base64url: an id that begins with a hyphen is an option to a command line.
      const id = randomBytes(12).toString('hex')
      const { minPay = null, maxPay = null, claimPolicy, funded } = filter
      const { closesAfter = null, closesBefore = null, minPosterScore = null } = filter
      const values: (string | number | boolean | null)[] = []
      const add = (value: string | number | boolean | null, type: string) => `$${values.push(value)}::${type}`
      const words = filter.words === undefined && filter.tags.length === 0 ? 'null' : buildWordQuery(filter, add)
      const row = [
        add(id, 'text'),
        add(wallet, 'text'),
        add(marketNumber(market), 'smallint'),
        add(name, 'text'),
        add(search, 'text'),
        words,
        add(minPay === null ? null : String(minPay), 'numeric'),
        add(maxPay === null ? null : String(maxPay), 'numeric'),
        add(funded, 'boolean'),
        add(claimPolicy === undefined ? null : claimPolicy === 'PERMIT', 'boolean'),
        add(closesAfter, 'bigint'),
        add(closesBefore, 'bigint'),
        add(minPosterScore, 'integer'),
        add(isEstablished, 'boolean'),
      ]
      const saved = await database((sql) =>
        sql.begin(async (step) => {
          await step`select pg_advisory_xact_lock(hashtext('svc_notify_search'))`
          const [count] = await step<{ own: number; all: number; newcomers: number }[]>`
            select (select count(*)::int from notify.search where wallet = ${wallet}) as own,
              (select count(*)::int from notify.search) as all,
              (select count(*)::int from notify.search where not established) as newcomers`
          if (!count || count.own >= maxSearches || count.all >= maxTotal) return false
          if (!isEstablished && count.newcomers >= maxNewcomers) return false
          await step.unsafe(
            `insert into notify.search (id, wallet, market, name, search, words, min_pay, max_pay, funded, permit, closes_after,
              closes_before, min_score, established) select ${row.join(', ')}`,
            values,
          )
          return true
        }),
      )
      if (saved) return id
      throw new ServiceError('TOO_MANY_SEARCHES', `A wallet saves at most ${maxSearches} searches.`, {
        hint: 'Remove one first. If you have fewer, the notifier is full.',
      })
    },
    async remove(wallet, id) {
      const { count } = await database((sql) => sql`delete from notify.search where wallet = ${wallet} and id = ${id}`)
      return count > 0
    },
  }
}

/** A saved search that finds a new task. */
export interface FoundMatch {
  id: string
  wallet: string
  name: string
  task: bigint
  title: string
  pay: bigint
}

/**
 * The most matches of one step, and of one wallet in a day: one post must not fill every inbox. Established wallets come first, and
 * wallets take turns, so that nobody's many searches leave another without a match.
 */
const maxMatches = 5_000
const maxPerDay = 50

/** Finds the saved searches that fit tasks which wait for a worker. Owners are not notified of their own tasks. */
export async function findMatches(
  step: TransactionSql,
  market: number,
  tasks: readonly bigint[],
): Promise<readonly FoundMatch[]> {
  if (tasks.length === 0) return []
  const rows = await step<{ id: string; wallet: string; name: string; task: string; title: string; pay: string }[]>`
    select s.id, s.wallet, s.name, t.key as task, t.title, t.pay::text as pay
    from market.search t join notify.search s on s.market = t.market
    where t.market = ${market} and t.key = any(${`{${tasks.join(',')}}`}::bigint[])
      and lower(s.wallet) <> '0x' || encode(t.poster, 'hex')
      and (s.words is null or t.words @@ s.words)
      and (s.min_pay is null or t.pay >= s.min_pay) and (s.max_pay is null or t.pay <= s.max_pay)
      and (t.funded or not s.funded) and (s.permit is null or t.permit = s.permit)
      and (s.closes_after is null or t.phase_end >= s.closes_after)
      and (s.closes_before is null or t.phase_end <= s.closes_before)
      and (s.min_score is null or s.min_score <= coalesce(
        (select a.score from market.agent a where a.market = t.market and a.key = t.poster), 0))
      and (select count(*) from notify.notification n where n.wallet = s.wallet and n.kind = 'search-matched'
        and n.stored_at > now() - interval '1 day') < ${maxPerDay}
    order by not s.established, row_number() over (partition by s.wallet order by t.key, s.created_at, s.id), s.created_at, s.id
    limit ${maxMatches}`
  return rows.map(({ task, pay, ...row }) => ({ ...row, task: BigInt(task), pay: BigInt(pay) }))
}
