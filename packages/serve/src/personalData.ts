import type { Address } from 'viem'
import type { Database } from './database.ts'
import type { SchemaName } from './schemas.ts'

/**
 * What of a table is about a wallet. Conditions are SQL over a row `t`; `$1` is the wallet, `$2` its running tasks as `v2:micro:7`, null
 * if they cannot be known now.
 */
interface TableRule {
  /** Which rows are about the wallet; null if the table has nothing about wallets. */
  of: string | null
  /** Which of them are removed when the wallet wants it. */
  removes?: string
  /** Why others stay, and for how long. */
  keeps?: string
  /** The order of its rows in an export. */
  key?: string
  /** Columns that an export leaves out: secrets, and what is stored only to search. */
  omits?: readonly string[]
}

/** A rule for each table of a schema, in the order of removal. A test compares it with the schema. */
export type PersonalDataRules = Readonly<Record<string, TableRule>>

interface ExportedRow {
  table: string
  row: Record<string, unknown>
}

/** What stays of a wallet. */
interface KeptRows {
  table: string
  rows: number
  reason: string
}

export interface PersonalData {
  /** One page of everything that is stored about a wallet; bytes are hex. */
  list: (wallet: Address, after: string | undefined) => Promise<{ rows: ExportedRow[]; next: string | null }>
  /** Removes what nobody else needs, and says what stays and why. */
  remove: (wallet: Address, runningTasks: readonly string[] | null) => Promise<{ removed: number; kept: KeptRows[] }>
}

/** Rows of one page: the largest are sealed messages. */
const pageRows = 20

export function createPersonalData(database: Database, schema: SchemaName, rules: PersonalDataRules): PersonalData {
  const tables = Object.entries(rules).flatMap(([table, rule]) => (rule.of === null ? [] : [{ ...rule, table }]))
  return {
    async list(wallet, after = '0.0') {
      let [index = 0, offset = 0] = after.split('.').map(Number)
      for (; index < tables.length; index++, offset = 0) {
        const rule = tables[index]
        if (!rule) break
        const { table, of, key = '1', omits = [] } = rule
        const found = await database((sql) =>
          sql.unsafe<{ row: Record<string, unknown> }[]>(
            `select to_jsonb(t) - $2::text[] as row from ${schema}.${table} t where ${of} order by ${key} offset $3::int limit ${pageRows + 1}`,
            [wallet, `{${omits.join(',')}}`, offset],
          ),
        )
        if (found.length === 0) continue
        const next = found.length > pageRows ? `${index}.${offset + pageRows}` : `${index + 1}.0`
        return { rows: found.slice(0, pageRows).map(({ row }) => ({ table, row: parseRow(row) })), next }
      }
      return { rows: [], next: null }
    },
    remove: (wallet, runningTasks) =>
      database((sql) =>
        sql.begin(async (step) => {
          const running = runningTasks && `{${runningTasks.join(',')}}`
          let removed = 0
          for (const { table, of, removes } of tables) {
            if (removes === undefined) continue
            const { count } = await step.unsafe(
              `with asked as (select $2::text[] as running)
               delete from ${schema}.${table} t using asked where (${of}) and (${removes})`,
              [wallet, running],
            )
            removed += count
          }
          const kept: KeptRows[] = []
          for (const { table, of, keeps } of tables) {
            const [row] = await step.unsafe<{ rows: number }[]>(
              `select count(*)::int as rows from ${schema}.${table} t where ${of}`,
              [wallet],
            )
            if (row && row.rows > 0) kept.push({ table, rows: row.rows, reason: keeps ?? 'Written a moment ago.' })
          }
          return { removed, kept }
        }),
      ),
  }
}

/** Without the types of the server, JSON comes as text. */
const parseRow = (row: unknown): Record<string, unknown> =>
  typeof row === 'string' ? JSON.parse(row) : { ...(row as object) }
