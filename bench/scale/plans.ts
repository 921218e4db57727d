import { createIndexReader, readPaidPlans } from '@svc/index'
import postgres from 'postgres'
import { cases, type Targets } from './cases.ts'
import { noPrices } from './noPrices.ts'

/** The part of EXPLAIN (ANALYZE, FORMAT JSON) that is read here. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: readonly PlanNode[]
}

/** How Postgres executed one read. */
export interface ReadPlan {
  name: string
  /** A plan for these values, or one plan for all values. */
  plan: 'custom' | 'generic'
  /** A list as text takes two: which tasks, and the texts that the reader does not have. */
  statements: number
  nodes: readonly PlanNode[]
  /** Rows that were scanned in tables and indexes. */
  rowsRead: number
}

/**
 * Returns the plans of the exact statements that the reader sends. auto_explain sends them to the connection as notices. Both kinds
 * of plan are checked, because the server may choose either.
 */
export async function explainReads(url: string, targets: Targets): Promise<ReadPlan[]> {
  const explained: PlanNode[] = []
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    connection: { client_min_messages: 'log' },
    onnotice: ({ message }) => {
      const plan = message?.match(/plan:\s*(\{.*)/s)?.[1]
      if (plan) explained.push((JSON.parse(plan) as { Plan: PlanNode }).Plan)
    },
  })
  const plans: ReadPlan[] = []
  try {
    await sql.unsafe(`load 'auto_explain'; set auto_explain.log_analyze to on; set auto_explain.log_format to json`)
    // A new reader each time: one that knows the texts of a page does not read them.
    const reader = () => createIndexReader(sql, noPrices)
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      ...Object.fromEntries(Object.entries(cases).map(([name, read]) => [name, () => read(reader(), targets, 0)])),
      'paid plans of a wallet': () => readPaidPlans(sql, 'standard', targets.busiest),
    }
    for (const [name, read] of Object.entries(reads)) {
      for (const plan of ['custom', 'generic'] as const) {
        await sql.unsafe(`set plan_cache_mode to force_${plan}_plan; set auto_explain.log_min_duration to 0`)
        explained.length = 0
        await read()
        await sql.unsafe('set auto_explain.log_min_duration to -1; set plan_cache_mode to auto')
        const statements = explained.length
        if (statements < 1 || statements > 2) throw new Error(`${name} takes ${statements} statements.`)
        const nodes = explained.flatMap(listNodes)
        plans.push({ name, plan, statements, nodes, rowsRead: rowsRead(nodes) })
      }
    }
    return plans
  } finally {
    await sql.end()
  }
}

/** Finds what a plan must not contain. The cursor's table has one row for each market on one page, so scanning it is fine. */
export function findPlanFaults({ name, plan, statements, nodes, rowsRead }: ReadPlan): string[] {
  const faults = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'cursor')
    .map((node) => `a sequential scan of ${node['Relation Name']}`)
  const isWithHeaders = nodes.some((node) => node['Relation Name'] === 'header')
  const pages = name.startsWith('inbox') ? inboxPages : isWithHeaders ? 2 : statements
  if (rowsRead > pages * mostRows) faults.push(`${rowsRead} rows are read`)
  return faults.map((fault) => `${name}, ${plan} plan: ${fault}`)
}

// A page has 100 rows plus one that tells whether there are more, and both rows of the cursor. An event also needs the header
// of its block.
const mostRows = 110

// An inbox has a page for each of six ways to have a part in a task. Each task needs its row, its dispute, and the first events
// of its history up to the one with its text.
const inboxPages = 6 * 8

const listNodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)]

const rowsRead = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => /^(?!Subquery|Function).*Scan/.test(node['Node Type']))
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
