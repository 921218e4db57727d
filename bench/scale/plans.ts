import { createIndexReader } from '@svc/index'
import postgres from 'postgres'
import { cases, type Targets } from './cases.ts'
import { noPrices } from './noPrices.ts'

/** A plan as EXPLAIN (ANALYZE, FORMAT JSON) writes it, as far as it is read here. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: readonly PlanNode[]
}

/** How one read was carried out. */
export interface ReadPlan {
  name: string
  /** With its values known, or one plan for all values. */
  plan: 'custom' | 'generic'
  nodes: readonly PlanNode[]
  /** Rows that were looked at in tables and indexes. */
  rowsRead: number
}

/**
 * The plans of the very statements that the reader sends, as the server carried them out: auto_explain tells them to the
 * connection itself. Both kinds are looked at: the server may be left to choose.
 */
export async function explainReads(url: string, targets: Targets): Promise<ReadPlan[]> {
  const told: PlanNode[] = []
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    connection: { client_min_messages: 'log' },
    onnotice: ({ message }) => {
      const plan = message?.match(/plan:\s*(\{.*)/s)?.[1]
      if (plan) told.push((JSON.parse(plan) as { Plan: PlanNode }).Plan)
    },
  })
  const plans: ReadPlan[] = []
  try {
    await sql.unsafe(`load 'auto_explain'; set auto_explain.log_analyze to on; set auto_explain.log_format to json`)
    const reader = createIndexReader(sql, noPrices)
    for (const [name, read] of Object.entries(cases)) {
      for (const plan of ['custom', 'generic'] as const) {
        await sql.unsafe(`set plan_cache_mode to force_${plan}_plan; set auto_explain.log_min_duration to 0`)
        told.length = 0
        await read(reader, targets, 0)
        const [root, another] = told
        await sql.unsafe('set auto_explain.log_min_duration to -1; set plan_cache_mode to auto')
        if (!root || another) throw new Error(`${name} is ${told.length} statements, not one.`)
        const nodes = nodesOf(root)
        plans.push({ name, plan, nodes, rowsRead: rowsRead(nodes) })
      }
    }
    return plans
  } finally {
    await sql.end()
  }
}

/** What must not be in a plan. The cursor has a row for each market, and those lie on one page: that is read whole. */
export function faultsOf({ name, plan, nodes, rowsRead }: ReadPlan): string[] {
  const faults = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'cursor')
    .map((node) => `a sequential scan of ${node['Relation Name']}`)
  const isWithHeaders = nodes.some((node) => node['Relation Name'] === 'header')
  if (rowsRead > (isWithHeaders ? 2 : 1) * mostRows) faults.push(`${rowsRead} rows are read`)
  return faults.map((fault) => `${name}, ${plan} plan: ${fault}`)
}

// A page has 100 rows and one to know whether there are more; both rows of the cursor come to it. An event has the header of
// its block beside it.
const mostRows = 110

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const rowsRead = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan')
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
