import { createHash, randomBytes } from 'node:crypto'
import { ServiceError } from '@svc/operations'
import type { CheckedStatement } from '@svc/protocol/work'
import { type Address, getAddress, type Hex } from 'viem'
import type { Database } from './database.ts'

const sessionSeconds = 24 * 60 * 60

/** The key statement that a session is opened with. */
type SessionStatement = Pick<CheckedStatement, 'wallet' | 'hash' | 'expiresAt'>

export interface Sessions {
  /** Opens a session that ends after a day, or with the statement. */
  open: (statement: SessionStatement) => Promise<{ token: string; expiresAt: number }>
  /** Ends the sessions that a wallet opened with these statements. Other replicas notice within seconds. */
  end: (wallet: Address, statements: readonly Hex[]) => Promise<void>
  /** Ends the session of a request, or all of its wallet. Returns how many there were. Throws SESSION_REQUIRED. */
  close: (headers: Headers, all: boolean) => Promise<number>
  /** Notes that a proof opened a session. Returns false if it had opened one before. */
  useProof: (proof: string, expiresAt: number) => Promise<boolean>
  /** Returns the wallet of a request, or null if it has no session. Throws SESSION_REQUIRED for an unknown or expired one. */
  find: (headers: Headers) => Promise<Address | null>
  /** The same, but a session is required. */
  require: (headers: Headers) => Promise<Address>
}

/** The most sessions of a wallet: a further one ends the oldest. */
const maxSessions = 100

/** A session is looked up again after this time: an upload of many parts asks the database once. */
const cacheMs = 10_000
const maxCached = 10_000

export interface SessionOptions {
  /** The schema of the service; it has the tables `session`, `statement` and `used_proof`. */
  schema: string
  /** The path that opens a session, for the hint of an error. */
  signInPath: string
  now?: () => number
}

/** Keeps sessions in the database, so that every replica knows them. Only hashes of tokens are stored. */
export function createSessions(database: Database, { schema, signInPath, now = Date.now }: SessionOptions): Sessions {
  const table = `${schema}.session`
  const required = () =>
    new ServiceError('SESSION_REQUIRED', 'A session is required, or it has expired.', {
      hint: `Sign in with POST ${signInPath}.`,
      headers: { 'www-authenticate': 'Bearer' },
    })
  const cache = new Map<string, { wallet: Address; statement: string | null; at: number }>()
  /** The hash of the token of a request; null if it has none. */
  const readToken = (headers: Headers): string | null => {
    const given = headers.get('authorization')
    if (given === null) return null
    const [, token] = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(given) ?? []
    if (!token) throw required()
    return hashToken(token)
  }
  const find: Sessions['find'] = async (headers) => {
    const hash = readToken(headers)
    if (hash === null) return null
    const cached = cache.get(hash)
    if (cached && now() - cached.at < cacheMs) return cached.wallet
    cache.delete(hash)
    const [row] = await database(
      (sql) => sql<{ wallet: string; statement: string | null }[]>`
        select wallet, statement from ${sql(table)} where token_hash = ${hash} and expires_at > now()`,
    )
    if (!row) throw required()
    const wallet = getAddress(row.wallet)
    if (cache.size >= maxCached) cache.clear()
    cache.set(hash, { wallet, statement: row.statement, at: now() })
    return wallet
  }
  return {
    find,
    async require(headers) {
      const wallet = await find(headers)
      if (!wallet) throw required()
      return wallet
    },
    async open({ wallet, hash, expiresAt: statementExpiry }) {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = Math.min(Math.floor(now() / 1000) + sessionSeconds, statementExpiry)
      await database(
        (sql) => sql`
          with gone as (
            delete from ${sql(table)} where token_hash in (
              select token_hash from ${sql(table)} where wallet = ${wallet}
              order by expires_at desc offset ${maxSessions - 1}))
          insert into ${sql(table)} (token_hash, wallet, statement, expires_at)
          values (${hashToken(token)}, ${wallet}, ${hash}, to_timestamp(${expiresAt}))`,
      )
      return { token, expiresAt }
    },
    async close(headers, all) {
      const wallet = await find(headers)
      if (!wallet) throw required()
      const own = readToken(headers)
      const { count } = await database(
        (sql) => sql`
          delete from ${sql(table)} where wallet = ${wallet} ${all ? sql`` : sql`and token_hash = ${own}`}`,
      )
      for (const [hash, session] of cache) if (all ? session.wallet === wallet : hash === own) cache.delete(hash)
      return count
    },
    async useProof(proof, expiresAt) {
      const { count } = await database(
        (sql) => sql`
          insert into ${sql(`${schema}.used_proof`)} values (${hashToken(proof)}, to_timestamp(${expiresAt}))
          on conflict do nothing`,
      )
      return count > 0
    },
    async end(wallet, statements) {
      if (statements.length === 0) return
      await database(
        (sql) => sql`
          delete from ${sql(table)}
          where wallet = ${wallet} and statement = any(${`{${statements.join(',')}}`}::text[])`,
      )
      for (const [hash, session] of cache) {
        if (session.wallet === wallet && statements.some((each) => each === session.statement)) cache.delete(hash)
      }
    },
  }
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
