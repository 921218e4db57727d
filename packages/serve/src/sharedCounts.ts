import type { Sql } from 'postgres'
import type { Client } from './clientNetworks.ts'
import { createDatabase, type Database, type DatabaseOptions } from './database.ts'

/** What all replicas together count for a limit. Reading it costs nothing: the database is asked in the background. */
export interface SharedCounts {
  /** Requests of a network that other replicas are known to have counted, in a minute and in the one before. */
  countOthers: (network: Client, minute: number) => Others | undefined
  /** Tells what this replica has counted for a network in a minute, of how many that are allowed. */
  report: (network: Client, minute: number, count: number, allowed: number) => void
  /** Exchanges counts with the database now. Never throws: while it is away, every replica counts for itself. */
  exchange: () => Promise<void>
  /** Whether the last exchange succeeded. */
  isShared: () => boolean
  stop: () => void
}

interface Others {
  current: number
  previous: number
}

export interface SharedCountsOptions {
  database: Database
  /** The name of the limit. */
  kind: string
  intervalMs?: number
  /** The most networks that are shared in a minute; further ones are counted by each replica alone. */
  maxNetworks?: number
}

/** The tables of the limits. */
export const limitsSchema: DatabaseOptions = {
  schema: 'limits',
  migrations: new URL('../migrations/', import.meta.url),
}

interface Entry extends Others {
  /** What this replica counted, and how much of it the database knows. */
  own: number
  sent: number
}

/**
 * A network is shared once it has used a tenth of what it is allowed, and exchanged at once with every further twentieth.
 * So most clients cost the database nothing, and a client gets at most a tenth of its allowance more from each further replica,
 * besides what it sends during one exchange.
 */
const [sharedFrom, exchangedEvery] = [1 / 10, 1 / 20]

/** Shares the counts of a limit among replicas. Their clocks must agree to within seconds. */
export function createSharedCounts(options: SharedCountsOptions): SharedCounts {
  const { database, kind, intervalMs = 1_000, maxNetworks = 10_000 } = options
  let [entries, before] = [new Map<Client, Entry>(), new Map<Client, Entry>()]
  let [minute, cleaned, shared] = [0, 0, true]
  let running: Promise<void> | null = null
  let isDue = false

  const advance = (to: number) => {
    if (to <= minute) return
    before = to === minute + 1 ? entries : new Map()
    entries = new Map()
    minute = to
  }

  async function send(): Promise<void> {
    const [mine, last] = [entries, before]
    const counts = [...mine].flatMap(([network, { own, sent }]) =>
      own > sent ? [{ network, requests: own - sent }] : [],
    )
    if (counts.length === 0) return
    const added = { kind, minute, counts }
    try {
      const rows = await database((sql) => addCounts(sql, added))
      const sums = new Map(rows.map((row) => [row.network, row]))
      for (const { network, requests } of counts) {
        const [entry, sum] = [mine.get(network), sums.get(network)]
        if (!entry || !sum) continue
        entry.sent += requests
        entry.current = Math.max(0, Number(sum.current) - entry.sent)
        entry.previous = Math.max(0, Number(sum.previous) - (last.get(network)?.sent ?? 0))
      }
      shared = true
      if (added.minute > cleaned) {
        cleaned = added.minute
        await database((sql) => removeExpired(sql, added))
      }
    } catch {
      shared = false
    }
  }

  const exchange = (): Promise<void> => {
    isDue = false
    running ??= send().finally(() => {
      running = null
      // While the database is away, the timer tries again.
      if (isDue && shared) void exchange()
    })
    return running
  }
  const timer = setInterval(exchange, intervalMs)
  timer.unref()

  return {
    countOthers(network, at) {
      advance(at)
      return entries.get(network) ?? toPrevious(before.get(network))
    },
    report(network, at, count, allowed) {
      advance(at)
      if (count < allowed * sharedFrom) return
      let entry = entries.get(network)
      if (!entry) {
        if (entries.size >= maxNetworks) return
        entry = { own: 0, sent: 0, current: 0, previous: before.get(network)?.current ?? 0 }
        entries.set(network, entry)
      }
      entry.own = count
      if (count - entry.sent < allowed * exchangedEvery) return
      isDue = true
      if (!running && shared) void exchange()
    },
    exchange,
    isShared: () => shared,
    stop: () => clearInterval(timer),
  }
}

/** Shares the limits of a service among its replicas until the signal aborts. */
export function createSharedLimits(sql: Sql, service: string, stopping: AbortSignal) {
  const database = createDatabase(sql, limitsSchema)
  const create = (kind: string) => {
    const counts = createSharedCounts({ database, kind: `${service} ${kind}` })
    stopping.addEventListener('abort', counts.stop, { once: true })
    return counts
  }
  return { reads: create('reads'), calls: create('calls') }
}

/** What others counted in the minute before, for a network that is not shared again yet. */
const toPrevious = (entry: Entry | undefined): Others | undefined => entry && { current: 0, previous: entry.current }

interface Counts {
  kind: string
  minute: number
  counts: readonly { network: Client; requests: number }[]
}

/** Adds counts and returns the sums over all replicas. Networks are sorted, so that replicas never wait for each other in a circle. */
const addCounts = (sql: Sql, { kind, minute, counts }: Counts) =>
  sql<{ network: string; current: string; previous: string }[]>`
    with added as (
      insert into limits.minute_count (kind, minute, network, requests)
      select ${kind}, ${minute}, network, requests
      from json_to_recordset(${JSON.stringify(counts)}::text::json) as given (network text, requests bigint)
      order by network
      on conflict (kind, minute, network) do update set requests = minute_count.requests + excluded.requests
      returning network, requests)
    select added.network, added.requests as current, coalesce(last.requests, 0) as previous
    from added left join limits.minute_count last
      on last.kind = ${kind} and last.minute = ${minute - 1} and last.network = added.network`

/** A statement of its own: within the other one, two replicas could each hold a row that the other waits for. */
const removeExpired = (sql: Sql, { kind, minute }: Counts) =>
  sql`delete from limits.minute_count where kind = ${kind} and minute < ${minute - 2}`
