import { ServiceError, unavailable } from '@svc/operations'
import { type Client, type Database, listNetworks } from '@svc/serve'
import type { Sql, TransactionSql } from 'postgres'

/** The tokens that chat may use in a UTC day, over all replicas. */
export interface Budget {
  /** Takes the most that a question can use. Throws 429 if the client's network has used its share, 503 if nothing is left. */
  reserve: (client: Client, tokens: number) => Promise<Reservation>
}

interface Reservation {
  /** Gives back what was not used, or takes what was used besides. Best effort: otherwise the reservation stands. */
  settle: (used: number) => Promise<void>
}

export interface BudgetOptions {
  tokensPerDay: number
  /** The share of one network: of an IPv4 /24 or IPv6 /48, and of an IPv4 address or IPv6 /56. */
  shares?: readonly [wide: number, narrow: number]
}

/** Everybody together, as a row among the networks. */
const everybody = 'all'

/**
 * Counts before the gateway is asked, because a failed question costs money too. Without the database the remaining budget is
 * unknown, so nothing is spent.
 */
export function createBudget(
  database: Database,
  { tokensPerDay, shares: [wide, narrow] = [1 / 10, 1 / 20] }: BudgetOptions,
): Budget {
  return {
    async reserve(client, tokens) {
      const [network = client, around] = listNetworks(client).slice(-2)
      // Everybody first: replicas then wait for each other at the first row, and never in a circle.
      const rows = [
        { network: everybody, maxTokens: tokensPerDay, refuse: usedUp },
        ...(around === undefined ? [] : [{ network: around, maxTokens: tokensPerDay * wide, refuse: shareUsedUp }]),
        { network, maxTokens: tokensPerDay * narrow, refuse: shareUsedUp },
      ]
      const day = await database((sql) => runTransaction(sql, (transaction) => take(transaction, rows, tokens)))
      const networks = rows.map(({ network }) => network)
      return {
        settle: (used) =>
          database((sql) =>
            runTransaction(sql, (transaction) => adjust(transaction, { day, networks, by: used - tokens })),
          ).then(
            () => {},
            () => {},
          ),
      }
    },
  }
}

/** `begin` unwraps arrays of statements in its type; this work returns plain values. */
async function runTransaction<T>(sql: Sql, work: (transaction: TransactionSql) => Promise<T>): Promise<T> {
  const results: T[] = []
  await sql.begin(async (transaction) => {
    results.push(await work(transaction))
  })
  const [result] = results
  return result === undefined ? missing() : result
}

interface Row {
  network: Client
  maxTokens: number
  refuse: () => ServiceError
}

/** Takes tokens from every row, or from none. Returns the day. */
async function take(transaction: TransactionSql, rows: readonly Row[], tokens: number): Promise<string> {
  const [clock] = await transaction<{ day: string }[]>`select (now() at time zone 'utc')::date::text as day`
  const { day } = clock ?? missing()
  for (const { network, maxTokens, refuse } of rows) {
    if (tokens > maxTokens) throw refuse()
    const taken = await transaction`
      insert into limits.chat_tokens (day, network, tokens) values (${day}::text::date, ${network}, ${Math.ceil(tokens)})
      on conflict (day, network) do update set tokens = chat_tokens.tokens + excluded.tokens
      where chat_tokens.tokens + excluded.tokens <= ${Math.floor(maxTokens)}
      returning tokens`
    if (taken.length === 0) throw refuse()
    // The first question of a day removes the others.
    if (network === everybody && Number(taken[0]?.tokens) === Math.ceil(tokens)) {
      await transaction`delete from limits.chat_tokens where day < ${day}::text::date`
    }
  }
  return day
}

async function adjust(
  transaction: TransactionSql,
  { day, networks, by }: { day: string; networks: readonly Client[]; by: number },
): Promise<string> {
  for (const network of networks) {
    await transaction`
      update limits.chat_tokens set tokens = greatest(0, tokens + ${Math.ceil(by)})
      where day = ${day}::text::date and network = ${network}`
  }
  return day
}

const missing = (): never => {
  throw new Error('The database returned no row.')
}

const secondsOfDayLeft = () => 86_400 - (Math.floor(Date.now() / 1000) % 86_400)
const usedUp = () => unavailable('CHAT_BUSY', "Today's chat budget is used up.", secondsOfDayLeft())
const shareUsedUp = () =>
  new ServiceError('RATE_LIMITED', "Your network has used its share of today's chat budget.", {
    retryAfter: secondsOfDayLeft(),
  })
