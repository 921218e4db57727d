import { disputePhases, taskScopes, taskStates } from '@svc/protocol'
import type { DisputeMove, Move, TransitionRow } from '@svc/protocol/internal/tasks'
import type { DisputeTransition, Transition } from '@svc/protocol/lifecycle'
import { type Describe, listPaths, type Path } from './path.ts'
import type { Rules } from './rules.ts'

/** One row of a table, or a call about a wallet's own money, with every way through it. */
export interface Step {
  operation: string
  name: string
  paths: readonly Path[]
  /** Moves a task. */
  ofTask: boolean
  /** Anyone can call it. */
  byAnyone: boolean
}

type Run = (path: Path) => void

/** Lists what can happen, in the order of the tables. A row that only the other contract calls is part of that call. */
export function listSteps(rules: Rules): Step[] {
  const { roles } = rules.tasks
  const { disputeRoles } = rules.cases
  return [
    ...rules.lifecycle.flatMap((row) => describeRow(row, roles[row.by], (path) => runTaskRow(rules, path, row))),
    ...rules.disputes.flatMap((row) => describeRow(row, disputeRoles[row.by], (path) => runCaseRow(rules, path, row))),
    ...Object.entries(rules.accounts).map(([operation, update]) => ({
      operation,
      name: operation,
      paths: listPaths((path) => path.apply(update)),
      ofTask: false,
      byAnyone: false,
    })),
  ]
}

export const nameTransition = ({ operation, from, when }: TransitionRow): string =>
  [operation, from, when ?? ''].join(' ').trim()

function describeRow(row: Transition | DisputeTransition, role: string | null, run: Run): Step[] {
  if (role === null) return []
  const paths = listPaths((path) => {
    path.check(role)
    run(path)
  })
  return [{ operation: row.operation, name: nameTransition(row), paths, ofTask: true, byAnyone: row.by === 'anyone' }]
}

function runTaskRow(rules: Rules, path: Path, row: Transition): void {
  const { conditions, guards, effects, moves, entryEffects } = rules.tasks
  if (row.when) path.check(conditions[row.when])
  for (const guard of row.guards) path.check(guards[guard])
  const to = typeof row.to === 'string' ? row.to : row.to[chooseScope(path)]
  path.runRow('state', taskStates.indexOf(row.from), taskStates.indexOf(to), () => {
    const describe = (move: Move) => {
      const own: Describe<Move> = moves[move.move]
      return own(move)
    }
    const updates = [
      ...row.effects.map((effect) => effects[effect]),
      ...row.money.flatMap(describe),
      ...(rules.onEnter[to] ?? []).flatMap((effect) => entryEffects[effect]),
    ]
    for (const update of updates) {
      path.apply(update)
      const inner = rules.disputes.filter(({ operation }) => operation === update.perform)
      if (update.perform) runCaseRow(rules, path, path.choose(inner))
    }
  })
}

function runCaseRow(rules: Rules, path: Path, row: DisputeTransition): void {
  const { disputeConditions, disputeGuards, disputeEffects, disputeMoves } = rules.cases
  if (row.when) path.check(disputeConditions[row.when])
  for (const guard of row.guards) path.check(disputeGuards[guard])
  path.runRow('phase', disputePhases.indexOf(row.from), disputePhases.indexOf(row.to), () => {
    const describe = (move: DisputeMove) => {
      const own: Describe<DisputeMove> = disputeMoves[move.move]
      return own(move)
    }
    for (const update of [...row.effects.map((effect) => disputeEffects[effect]), ...row.money.flatMap(describe)]) {
      path.apply(update)
      const inner = rules.lifecycle.filter(({ operation }) => operation === update.perform)
      if (update.perform) runTaskRow(rules, path, path.choose(inner))
    }
  })
}

function chooseScope(path: Path): (typeof taskScopes)[number] {
  const scope = path.choose(taskScopes)
  path.check(scope === 'PRIVATE' ? 'isPrivate' : '(not isPrivate)')
  return scope
}
