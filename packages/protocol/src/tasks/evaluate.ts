import {
  type DisputeGuard,
  type DisputeGuardName,
  type DisputeRole,
  type DisputeSituation,
  type DisputeTransition,
  disputeConditions,
  disputeRoles,
} from './disputes.ts'
import type { Guard, GuardName, Lack, Situation } from './guards.ts'
import { conditions, type Role, roles, type Transition } from './lifecycle.ts'

/** The part of a row, of either table, that decides whether a call is allowed. */
export interface TransitionRow {
  operation: string
  from: string
  when?: string
  by: string
  guards: readonly string[]
}

/** A transition table with everything that can reject a call. */
export interface RuleSet<R extends TransitionRow, S> {
  rows: ReadonlyMap<string, readonly R[]>
  /** The error for a call that matches no row. */
  noRow: string
  conditions: Readonly<Record<string, (s: S) => boolean>>
  roles: Readonly<Record<string, string | null>>
  roleChecks: Readonly<Record<string, (s: S) => boolean>>
  guards: Readonly<Record<string, RowGuard<S>>>
}

/** A guard of either table. */
interface RowGuard<S> {
  error: string
  otherError?: { name: string; applies: (s: S) => boolean }
  rule: string
  holds: (s: S) => boolean
  until?: (s: S) => number
  after?: (s: S) => number
  lacks?: (s: S) => Lack
}

/** A guard that keeps a caller from an operation: its rule, and what would satisfy it. */
export interface FailedGuard extends Lack {
  /** The rule as text. */
  rule: string
  /** The first second at which the guard holds by itself, if it only waits. */
  waitUntil: number | null
}

const roleChecks: Record<Role, (s: Situation) => boolean> = {
  poster: ({ caller, task }) => caller === task.poster,
  worker: ({ caller, task }) => caller === task.worker,
  party: ({ caller, task }) => caller === task.poster || caller === task.worker,
  claimant: ({ caller, task }) => caller !== task.poster,
  arbitration: ({ caller }) => caller === 'arbitration',
  anyone: () => true,
}

const disputeRoleChecks: Record<DisputeRole, (s: DisputeSituation) => boolean> = {
  party: ({ caller, dispute }) => caller === dispute.poster || caller === dispute.worker,
  candidate: ({ caller, dispute }) =>
    caller === dispute.named || (caller === dispute.posterProposal && caller === dispute.workerProposal),
  judge: ({ caller, dispute }) => caller === dispute.judge,
  loser: ({ caller, dispute }) => caller === (dispute.forWorker ? dispute.poster : dispute.worker),
  court: ({ caller, finalCourt }) => caller === finalCourt,
  registry: ({ caller }) => caller === 'registry',
  anyone: () => true,
}

const groupByOperation = <R extends TransitionRow>(rows: readonly R[]) =>
  Map.groupBy(rows, (row) => `${row.operation} ${row.from}`)

/**
 * Builds the rules of the task lifecycle for {@link evaluate}.
 *
 * @example
 * ```ts
 * const rules = buildTaskRules({ lifecycle, guards })
 * ```
 */
export const buildTaskRules = ({
  lifecycle,
  guards,
}: {
  lifecycle: readonly Transition[]
  guards: Readonly<Record<GuardName, Guard>>
}) => ({
  rows: groupByOperation(lifecycle),
  noRow: 'WrongState',
  conditions,
  roles,
  roleChecks,
  guards,
})

/**
 * Builds the rules of the dispute table for {@link evaluate}.
 *
 * @example
 * ```ts
 * const rules = buildDisputeRules({ disputes, disputeGuards })
 * ```
 */
export const buildDisputeRules = ({
  disputes,
  disputeGuards,
}: {
  disputes: readonly DisputeTransition[]
  disputeGuards: Readonly<Record<DisputeGuardName, DisputeGuard>>
}) => ({
  rows: groupByOperation(disputes),
  noRow: 'WrongPhase',
  conditions: disputeConditions,
  roles: disputeRoles,
  roleChecks: disputeRoleChecks,
  guards: disputeGuards,
})

/**
 * Evaluates a call against a table. Returns the matching row with the situation, or the name of the contract error of the
 * first check that fails. Checks run in the order of the contracts: state, caller, then each guard. `readSituation` runs
 * only if the state has a row.
 *
 * @example
 * ```ts
 * const result = evaluate(rules, 'claim', task.state, () => situation)
 * if (typeof result === 'string') console.log(`The contract would revert with ${result}`)
 * ```
 */
export function evaluate<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  operation: string,
  from: string,
  readSituation: () => S,
): { row: R; s: S } | string {
  const cell = rules.rows.get(`${operation} ${from}`)
  if (!cell) return rules.noRow
  const s = readSituation()
  const row = cell.find(({ when }) => when === undefined || rules.conditions[when]?.(s))
  if (!row) return rules.noRow
  const roleError = rules.roles[row.by]
  if (roleError && !rules.roleChecks[row.by]?.(s)) return roleError
  for (const name of row.guards) {
    const guard = rules.guards[name]
    if (guard && !guard.holds(s)) return guard.otherError?.applies(s) ? guard.otherError.name : guard.error
  }
  return { row, s }
}

/**
 * Lists every guard that keeps a caller from an operation, with its row. Returns null if the state has no row for the
 * operation or the caller does not have the role, so that no guard decides.
 *
 * @example
 * ```ts
 * for (const { rule } of listFailedGuards(rules, 'claim', task.state, () => situation)?.failed ?? []) console.log(rule)
 * ```
 */
export function listFailedGuards<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  operation: string,
  from: string,
  readSituation: () => S,
): { row: R; failed: FailedGuard[] } | null {
  const cell = rules.rows.get(`${operation} ${from}`)
  if (!cell) return null
  const s = readSituation()
  const row = cell.find(({ when }) => when === undefined || rules.conditions[when]?.(s))
  if (!row || (rules.roles[row.by] && !rules.roleChecks[row.by]?.(s))) return null
  const failed = row.guards.flatMap((name): FailedGuard[] => {
    const guard = rules.guards[name]
    if (!guard || guard.holds(s)) return []
    const waitUntil = guard.after ? guard.after(s) + 1 : null
    return [{ rule: guard.rule, waitUntil, ...guard.lacks?.(s) }]
  })
  return { row, failed }
}

/**
 * Finds the earliest deadline among the guards of an allowed row, in unix seconds. Returns null if no guard has a deadline.
 *
 * @example
 * ```ts
 * const result = evaluate(rules, 'fund', task.state, () => situation)
 * if (typeof result !== 'string') console.log(findDeadline(rules, result))
 * ```
 */
export function findDeadline<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  { row, s }: { row: R; s: S },
): number | null {
  const deadlines = row.guards.flatMap((name) => rules.guards[name]?.until?.(s) ?? [])
  return deadlines.length > 0 ? Math.min(...deadlines) : null
}

/**
 * Finds the first second at which the waiting times of an allowed row were over, in unix seconds. Returns null if no guard
 * waits.
 *
 * @example
 * ```ts
 * const result = evaluate(rules, 'expire', task.state, () => situation)
 * if (typeof result !== 'string') console.log(findStart(rules, result))
 * ```
 */
export function findStart<R extends TransitionRow, S>(
  rules: RuleSet<R, S>,
  { row, s }: { row: R; s: S },
): number | null {
  const waits = row.guards.flatMap((name) => rules.guards[name]?.after?.(s) ?? []).filter((end) => end > 0)
  return waits.length > 0 ? Math.max(...waits) + 1 : null
}
