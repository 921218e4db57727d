import { createHash, randomBytes } from 'node:crypto'
import { ServiceError } from '@svc/operations'
import type { Database } from '@svc/serve'
import { type Address, getAddress } from 'viem'

const sessionSeconds = 24 * 60 * 60

export interface Sessions {
  /** Opens a session that ends after a day, or with the statement. */
  open: (wallet: Address, statementExpiry: number) => Promise<{ token: string; expiresAt: number }>
  /** Returns the wallet of a request, or null if it has no session. Throws SESSION_REQUIRED for an unknown or expired one. */
  find: (headers: Headers) => Promise<Address | null>
  /** The same, but a session is required. */
  require: (headers: Headers) => Promise<Address>
}

/** Keeps sessions in the database, so that every replica knows them. Only hashes of tokens are stored. */
export function createSessions(database: Database, now: () => number = Date.now): Sessions {
  const find: Sessions['find'] = async (headers) => {
    const given = headers.get('authorization')
    if (given === null) return null
    const [, token] = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(given) ?? []
    if (!token) throw required()
    const [row] = await database(
      (sql) => sql<{ wallet: string }[]>`
        select wallet from store.session where token_hash = ${hashToken(token)} and expires_at > now()`,
    )
    if (!row) throw required()
    return getAddress(row.wallet)
  }
  return {
    find,
    async require(headers) {
      const wallet = await find(headers)
      if (!wallet) throw required()
      return wallet
    },
    async open(wallet, statementExpiry) {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = Math.min(Math.floor(now() / 1000) + sessionSeconds, statementExpiry)
      await database(
        (sql) => sql`
          insert into store.session values (${hashToken(token)}, ${wallet}, to_timestamp(${expiresAt}))`,
      )
      return { token, expiresAt }
    },
  }
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const required = () =>
  new ServiceError('SESSION_REQUIRED', 'A session is required, or it has expired.', {
    hint: 'Sign in with POST /v1/sessions.',
    headers: { 'www-authenticate': 'Bearer' },
  })
