import type { Sql, TransactionSql } from 'postgres'

/** Anything that runs SQL: a pool, or a transaction on it. */
export type AnySql = Sql | TransactionSql
