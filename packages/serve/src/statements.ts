import { listLiveStatements } from '@svc/protocol/internal/work'
import { type CheckedStatement, parseStatementMessage, type SignedStatement } from '@svc/protocol/work'
import type { Address, Hex } from 'viem'
import type { Database } from './database.ts'

/** Statements of one wallet that are kept, live or not. A new one replaces the oldest that no longer counts. */
const maxKept = 100
/** The same with revocations: they count for as long as what they revoke, so they are replaced last. One more is always taken. */
const maxWithRevocations = 1_000

interface StoredStatement extends CheckedStatement {
  signed: SignedStatement
}

export interface Statements {
  has: (hash: Hex) => Promise<boolean>
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
    async has(hash) {
      const rows = await database((sql) => sql`select from ${sql(table)} where hash = ${hash}`)
      return rows.length > 0
    },
    async save(statement, { message, signature }) {
      const { hash, wallet, issuedAt, expiresAt } = statement
      const insert = (max: number, replaced: string) =>
        database(
          (sql) => sql`
            with gone as (delete from ${sql(table)} where hash = ${replaced} returning hash)
            insert into ${sql(table)}
            select ${hash}, ${wallet}, ${message}, ${signature}, ${issuedAt}::bigint, ${expiresAt}::bigint
            where (select count(*) from ${sql(table)} where wallet = ${wallet}) - (select count(*) from gone) < ${max}
              or exists (select from ${sql(table)} where hash = ${hash})
            on conflict (hash) do update set hash = excluded.hash`,
        )
      const isRevocation = statement.revokes.length > 0
      if ((await insert(isRevocation ? maxWithRevocations : maxKept, '')).count > 0) return
      const all = await list(wallet)
      const live = selectLive([...all, { ...statement, signed: { message, signature } }], seconds())
      const counts = new Set(live.map((each) => each.hash))
      const oldest = all
        .filter((each) => !counts.has(each.hash) && each.revokes.length === 0)
        .toSorted((a, b) => a.issuedAt - b.issuedAt)[0]
      const [first] = all.toSorted((a, b) => a.expiresAt - b.expiresAt)
      await insert(Number.MAX_SAFE_INTEGER, (oldest ?? first)?.hash ?? '')
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
