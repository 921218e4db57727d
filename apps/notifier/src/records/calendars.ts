import { createHash, randomBytes } from 'node:crypto'
import { loadTaskEvents, marketNumber } from '@svc/index'
import { formatTaskId, type Market, markets } from '@svc/protocol'
import { planNotifications } from '@svc/protocol/notifications'
import type { Database } from '@svc/serve'
import type { Sql } from 'postgres'
import { type Address, getAddress, hexToBytes } from 'viem'
import { type CalendarEntry, formatCalendar } from '../formatCalendar.ts'

export interface Calendars {
  /** Returns the URL. An earlier one of the wallet ends. */
  create: (wallet: Address) => Promise<string>
  remove: (wallet: Address) => Promise<boolean>
  /** The calendar behind a token; null if there is none. */
  read: (token: string) => Promise<string | null>
}

/** The tasks of a wallet in one market that are looked at, newest first, and the events of each. */
const maxTasks = 100
const maxTaskEvents = 5_000

export function createCalendars(
  database: Database,
  { siteUrl, finalCourt }: { siteUrl: string; finalCourt: Address },
): Calendars {
  return {
    async create(wallet) {
      const token = randomBytes(24).toString('base64url')
      await database(
        (sql) => sql`
          insert into notify.calendar values (${wallet}, ${hash(token)})
          on conflict (wallet) do update set token_hash = excluded.token_hash`,
      )
      return `${siteUrl}/notify/v1/calendar/${token}`
    },
    async remove(wallet) {
      const { count } = await database((sql) => sql`delete from notify.calendar where wallet = ${wallet}`)
      return count > 0
    },
    read: (token) =>
      database(async (sql) => {
        const [row] = await sql<{ wallet: string }[]>`
          select wallet from notify.calendar where token_hash = ${hash(token)}`
        if (!row) return null
        const wallet = getAddress(row.wallet)
        const found = await Promise.all(markets.map((market) => listDeadlines(sql, market, wallet)))
        const now = Math.max(0, ...found.map(({ time }) => time))
        return formatCalendar(
          found.flatMap(({ entries }) => entries),
          now,
        )
      }),
  }

  /** The deadlines that run for a wallet at the last block of the index. */
  async function listDeadlines(sql: Sql, market: Market, wallet: Address) {
    const number = marketNumber(market)
    const [cursor] = await sql<{ number: string; timestamp: string }[]>`
      select number, "timestamp" from market.cursor where market = ${number}`
    if (!cursor) return { time: 0, entries: [] }
    const key = Buffer.from(hexToBytes(wallet))
    const rows = await sql<{ task: string }[]>`
      (select key as task from market.task where market = ${number} and poster = ${key} order by key desc limit ${maxTasks})
      union (select key from market.task where market = ${number} and worker = ${key} order by key desc limit ${maxTasks})
      union (select distinct task from (select task from notify.notification
        where wallet = ${wallet} and market = ${number} and task is not null order by seq desc limit ${maxTasks}) newest)`
    const time = Number(cursor.timestamp)
    const histories = await loadTaskEvents(
      sql,
      number,
      rows.map(({ task }) => BigInt(task)),
      { upTo: BigInt(cursor.number), limit: maxTaskEvents },
    )
    const entries = histories.flatMap(({ task, events }): CalendarEntry[] => {
      const id = formatTaskId({ market, number: task })
      const { deadlines } = planNotifications({ market, finalCourt, events, now: time })
      return deadlines
        .filter((each) => each.wallet === wallet)
        .map(({ clock, taskName, end, text }) => ({
          id: `${clock} ${id} ${end}`,
          at: end,
          title: `${taskName}: ${text}`,
          url: siteUrl && `${siteUrl}/tasks/${id}`,
        }))
    })
    return { time, entries }
  }
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex')
