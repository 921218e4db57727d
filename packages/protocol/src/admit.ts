import {
  type DisputeGuard,
  type DisputeGuardName,
  type DisputeRole,
  type DisputeSituation,
  type DisputeTransition,
  disputeConditions,
  disputeRoles,
} from './disputes.ts'
import type { Guard, GuardName, Situation } from './guards.ts'
import { conditions, type Role, roles, type Transition } from './lifecycle.ts'

/** A row of either table, as far as it says whether a call goes through. */
export interface Row {
  operation: string
  from: string
  when?: string
  by: string
  guards: readonly string[]
}

/** A table and its words, as far as they refuse a call. */
export interface Rules<R extends Row, S> {
  rows: ReadonlyMap<string, readonly R[]>
  /** What a call gets that has no row. */
  noRow: string
  conditions: Readonly<Record<string, (s: S) => boolean>>
  roles: Readonly<Record<string, string | null>>
  plays: Readonly<Record<string, (s: S) => boolean>>
  guards: Readonly<Record<string, { error: string; holds: (s: S) => boolean; until?: (s: S) => number }>>
}

const plays: Record<Role, (s: Situation) => boolean> = {
  poster: ({ caller, task }) => caller === task.poster,
  worker: ({ caller, task }) => caller === task.worker,
  party: ({ caller, task }) => caller === task.poster || caller === task.worker,
  claimant: ({ caller, task }) => caller !== task.poster,
  arbitration: ({ caller }) => caller === 'arbitration',
  anyone: () => true,
}

const disputePlays: Record<DisputeRole, (s: DisputeSituation) => boolean> = {
  party: ({ caller, dispute }) => caller === dispute.poster || caller === dispute.worker,
  panel: ({ caller, dispute }) => dispute.panel.some((seat) => seat.arbitrator === caller),
  registry: ({ caller }) => caller === 'registry',
  anyone: () => true,
}

const byCell = <R extends Row>(rows: readonly R[]) => Map.groupBy(rows, (row) => `${row.operation} ${row.from}`)

/** The lifecycle as a judge of calls. */
export const taskRules = ({
  lifecycle,
  guards,
}: {
  lifecycle: readonly Transition[]
  guards: Readonly<Record<GuardName, Guard>>
}) => ({
  rows: byCell(lifecycle),
  noRow: 'WrongState',
  conditions,
  roles,
  plays,
  guards,
})

/** The dispute table as a judge of calls. */
export const disputeRules = ({
  disputes,
  disputeGuards,
}: {
  disputes: readonly DisputeTransition[]
  disputeGuards: Readonly<Record<DisputeGuardName, DisputeGuard>>
}) => ({
  rows: byCell(disputes),
  noRow: 'WrongPhase',
  conditions: disputeConditions,
  roles: disputeRoles,
  plays: disputePlays,
  guards: disputeGuards,
})

/** The row a call goes by and what it saw, or the error of the first check it fails: state, caller, guard by guard. */
export function admit<R extends Row, S>(
  rules: Rules<R, S>,
  operation: string,
  from: string,
  look: () => S,
): { row: R; s: S } | string {
  const cell = rules.rows.get(`${operation} ${from}`)
  if (!cell) return rules.noRow
  const s = look()
  const row = cell.find(({ when }) => when === undefined || rules.conditions[when]?.(s))
  if (!row) return rules.noRow
  const stranger = rules.roles[row.by]
  if (stranger && !rules.plays[row.by]?.(s)) return stranger
  for (const name of row.guards) {
    const guard = rules.guards[name]
    if (guard && !guard.holds(s)) return guard.error
  }
  return { row, s }
}

/** The first of the limits of time that an admitted row ends at; null when it has none. */
export function untilOf<R extends Row, S>(rules: Rules<R, S>, { row, s }: { row: R; s: S }): number | null {
  const limits = row.guards.flatMap((name) => rules.guards[name]?.until?.(s) ?? [])
  return limits.length > 0 ? Math.min(...limits) : null
}
