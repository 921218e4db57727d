import { ServiceError } from '@svc/operations'
import { listLiveStatements } from '@svc/protocol/internal/work'
import { type CheckedStatement, parseStatementMessage, type SignedStatement } from '@svc/protocol/work'
import type { Address, Hex } from 'viem'
import type { Database } from './database.ts'

/** Statements of one wallet that are kept, live or not: revocations count for as long as what they revoke. */
const maxKept = 100

interface StoredStatement extends CheckedStatement {
  signed: SignedStatement
}

export interface Statements {
  /** Stores a checked statement. */
  save: (statement: CheckedStatement, signed: SignedStatement) => Promise<void>
  /** Lists the live statements of a wallet, newest first. */
  listLive: (wallet: Address) => Promise<readonly StoredStatement[]>
  /** The same; if all have expired, what was live last. A poster who never comes back must not leave deliveries without receipts. */
  listUsable: (wallet: Address) => Promise<readonly StoredStatement[]>
}

/**
 * Keeps key statements in the table `statement` of a schema. They were checked before they were stored; their hash and content
 * never change.
 */
export function createStatements(database: Database, schema: string, now: () => number = Date.now): Statements {
  const table = `${schema}.statement`
  const seconds = () => Math.floor(now() / 1000)
  return {
    async save({ hash, wallet, issuedAt, expiresAt }, { message, signature }) {
      const { count } = await database(
        (sql) => sql`
          insert into ${sql(table)}
          select ${hash}, ${wallet}, ${message}, ${signature}, ${issuedAt}::bigint, ${expiresAt}::bigint
          where (select count(*) from ${sql(table)} where wallet = ${wallet}) < ${maxKept}
            or exists (select from ${sql(table)} where hash = ${hash})
          on conflict (hash) do update set hash = excluded.hash`,
      )
      if (count === 0)
        throw new ServiceError('WORK_QUOTA_REACHED', `At most ${maxKept} statements of a wallet are kept.`)
    },
    listLive: async (wallet) => selectLive(await list(wallet), seconds()),
    async listUsable(wallet) {
      const all = await list(wallet)
      const lastExpiry = Math.max(0, ...all.map(({ expiresAt }) => expiresAt))
      return selectLive(all, Math.min(seconds(), lastExpiry - 1))
    },
  }

  async function list(wallet: Address): Promise<StoredStatement[]> {
    const rows = await database(
      (sql) => sql<{ hash: Hex; message: string; signature: Hex }[]>`
          select hash, message, signature from ${sql(table)} where wallet = ${wallet}`,
    )
    return rows.map(({ hash, message, signature }) => ({
      ...parseStatementMessage(message),
      hash,
      signed: { message, signature },
    }))
  }
}

const selectLive = (all: readonly StoredStatement[], now: number): StoredStatement[] =>
  listLiveStatements(all, now).flatMap(({ hash }) => all.filter((each) => each.hash === hash))
