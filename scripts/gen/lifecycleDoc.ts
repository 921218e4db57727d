import { markets } from '../../packages/protocol/src/base/market.ts'
import { marketParams } from '../../packages/protocol/src/money/params.ts'
import {
  type DisputeMove,
  type DisputeRole,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../../packages/protocol/src/tasks/disputes.ts'
import { type Guard, guards } from '../../packages/protocol/src/tasks/guards.ts'
import {
  lifecycle,
  type Move,
  onEnter,
  type Role,
  type Transition,
} from '../../packages/protocol/src/tasks/lifecycle.ts'
import { type DisputePhase, terminalStates } from '../../packages/protocol/src/tasks/states.ts'

/** Role names for readers. */
export const roleNames: Record<Role | DisputeRole, string> = {
  poster: 'the poster',
  worker: 'the worker',
  party: 'either party',
  claimant: 'anyone but the poster',
  arbitration: 'the arbitration contract',
  candidate: 'the arbitrator that the terms or both parties name',
  judge: 'the judge',
  loser: 'the party that the ruling goes against',
  court: 'the final court',
  registry: 'the task registry',
  anyone: 'anyone',
}

const paid: Record<Extract<Move, { move: 'pay' }>['what'], string> = {
  milestone: 'the milestone',
  held: 'all that is held',
  'share of milestone': "the worker's share of the milestone",
  'share of held': "the worker's share of what is held",
}

function describeMove(move: Move): string {
  switch (move.move) {
    case 'fee':
      return `access fee of the ${move.of}`
    case 'reserve':
      return `the ${move.of}'s reserve is raised to USD 13`
    case 'lock exit deposit':
      return `exit deposit of the ${move.of}`
    case 'spend exit deposit':
      return `the ${move.of}'s exit deposit is spent like an access fee`
    case 'forfeit':
      return `USD 2.50 from the ${move.of}'s reserve to the treasury, and its exit deposit to the Union`
    case 'fund':
      return 'the amount from the poster into the escrow'
    case 'pay':
      return `${paid[move.what]} to the worker`
    case 'court costs':
      return "the exit deposit of who forfeits it to the Union; the court's share to the final court"
  }
}

function describeDisputeMove(move: DisputeMove): string {
  switch (move.move) {
    case 'take stake':
      return 'a poster that opens raises its reserve to USD 13 again and puts up a tenth of the milestone as its stake'
    case 'reserve appeal fee':
      return "USD 8 of the loser's deposit reserved"
    case 'pay appeal fee':
      return 'the USD 8 of the appeal to the final court'
    case 'slash silent judge':
      return "2,000 TOK of the judge's bond burnt"
    case 'slash overturned judge':
      return "of the judge's bond 125 % of what the ruling moved, at least 2,000 TOK, burnt"
    case 'loser pays': {
      const to = { judge: 'the judge', court: 'the final court', appellant: 'the appellant' }[move.feeTo]
      return `from the loser's reserve USD 5 to ${to} and USD 8 to the winner`
    }
    case 'pay seated': {
      const seated = 'to the judge or the final court that has the case'
      return `${move.from === 'both' ? 'USD 2.50 from each party' : 'USD 5 from the poster'} ${seated}`
    }
    case 'pay worker':
      return 'USD 8 from the poster to the worker'
    case 'worker gives up':
      return 'USD 5 from the worker to the judge or the final court that has the case, else to the poster'
    case 'return stake': {
      const less = {
        nothing: '',
        settlement: ', less 1 % of the milestone for the worker',
        'what a loser loses': ', less a tenth of the gap, at least 5 % of the milestone, for the worker',
        'what a ruling says': ', less a tenth of the gap, at least 5 % of the milestone, for a worker that won',
      }[move.less]
      return `the stake back to the poster${less}`
    }
    case 'settle task': {
      const courtShare = move.courtShare ? ', 1 % of the gap of it, at most 1,000 TOK, to the final court' : ''
      const forfeits = move.forfeits ? `; the ${move.forfeits} forfeits its exit deposit` : ''
      return `the registry divides the milestone (\`settleDispute\`)${courtShare}${forfeits}`
    }
  }
}

const joinList = (items: readonly string[]): string => items.join('; ') || '-'
const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const columns = ['Operation', 'From', 'Who', 'Rules, in the order they are checked', 'To', 'Changes', 'Money']
const operation = (row: { operation: string; when?: string }): string =>
  `\`${row.operation}\`${row.when ? `, ${row.when}` : ''}`
const next = (to: Transition['to']): string =>
  typeof to === 'string' ? to : to.OPEN === to.PRIVATE ? to.OPEN : `${to.OPEN}; a private task: ${to.PRIVATE}`

const formatGuard = ({ rule, error, otherError }: Guard): string =>
  `${rule} (${[error, ...(otherError ? [otherError.name] : [])].map((name) => `\`${name}\``).join(', ')})`

const taskRow = (row: Transition): string[] => [
  operation(row),
  row.from,
  roleNames[row.by],
  joinList(row.guards.map((name) => formatGuard(guards[name]))),
  next(row.to),
  joinList(row.effects),
  joinList(row.money.map(describeMove)),
]
const disputeRow = (row: DisputeTransition): string[] => [
  operation(row),
  row.from,
  roleNames[row.by],
  joinList(row.guards.map((name) => `${disputeGuards[name].rule} (\`${disputeGuards[name].error}\`)`)),
  row.to,
  joinList(row.effects),
  joinList(row.money.map(describeDisputeMove)),
]

/** Renders a state diagram: one arrow per pair of states, with all operations that make the transition. */
function renderDiagram(
  rows: readonly { from: string; to: string; operation: string }[],
  ends: readonly string[],
): string {
  const arrows = Map.groupBy(rows, ({ from, to }) => `${from === 'NONE' ? '[*]' : from} --> ${to}`)
  const lines = [...arrows].map(([arrow, group]) => {
    const operations = new Set(group.map((row) => row.operation))
    return `  ${arrow} : ${[...operations].join(', ')}`
  })
  return ['```mermaid', 'stateDiagram-v2', ...lines, ...ends.map((end) => `  ${end} --> [*]`), '```'].join('\n')
}

const taskArrows = lifecycle.flatMap((row) =>
  (typeof row.to === 'string' ? [row.to] : [row.to.OPEN, row.to.PRIVATE]).map((to) => ({ ...row, to })),
)

function formatDuration(seconds: number): string {
  if (seconds % 86_400 === 0 && seconds >= 604_800) return `${seconds / 86_400} d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds / 60} min`
}

const params = Object.keys(marketParams.standard) as (keyof typeof marketParams.standard)[]
const paramRows = params.map((name) => [
  `\`${name}\``,
  ...markets.map((market) => formatDuration(marketParams[market][name])),
])

/** What each phase of a dispute waits for. */
const phases: Record<Exclude<DisputePhase, 'NONE'>, string> = {
  OPEN: 'a judge that is named and accepts; until the end of the consent window, then the final court has the case',
  EVIDENCE: 'the evidence of both, then the ruling of the judge; until the ruling window after the end of evidence',
  RULED: 'an appeal of the loser; until the appeal window after the ruling',
  COURT: "the decision of the final court; until the end of the court's window",
  CLOSED: 'nothing',
}
const phaseRows = Object.entries(phases).map(([phase, text]) => [phase, text])

/** Renders the lifecycle and dispute tables, with their diagrams. */
export function renderLifecycleDoc(): string {
  return `<!-- Generated by \`pnpm gen\` from packages/protocol/src. Do not edit. -->

# The lifecycle of a task

Every deadline has two sides: up to and including that second, the party with the duty can act; after it, anyone can call the
default. So exactly one of them applies at any moment, and time alone ends every task.

A call is checked in this order: the task exists (\`TaskNotFound\`), there is a row for its state (\`WrongState\`), the caller
is right, then the rules from left to right. The first check that fails gives the error.

${renderDiagram(taskArrows, terminalStates)}

## Tasks

${renderTable(columns, lifecycle.map(taskRow))}

Entering a state has these effects, whatever the operation:

${renderTable(
  ['State', 'Effects'],
  Object.entries(onEnter).map(([state, brings]) => [state, joinList(brings)]),
)}

The access fee is 1,000 TOK or one Action Credit. The exit deposit is 1,000 TOK, never a credit. Their errors and
\`InsufficientDeposit\` come from the token and the vaults. A claim stands for the funding window; until then the task can be
funded, started, left or dismissed. Silence pays for a delivery if the terms name no store, or the store signed a receipt for
it. Otherwise the worker has the notice time to deliver again with a receipt, to open a dispute or to leave. The notice time is the
review window, at least \`minRevisionTime\`. A completion counts for reputation at once, the sum of a payment only later than one
vet window after the claim. Leaving, a late dismissal, notice and a missed duty leave a mark.

Dismissing a worker that is at work gives notice: unless the deadline is earlier, the notice time is left, after a revision
\`maxReviewWindow\`. Meanwhile the worker can deliver, there is no revision, and the milestone that is paid is the last one. Who
delivers nothing under notice owes nothing.

## Disputes

A dispute is open while its task is DISPUTED. A call without a row for its phase reverts with \`WrongPhase\`. Where a condition
chooses between rows, it is checked before the caller.

${renderTable(['Phase', 'What it waits for'], phaseRows)}

${renderDiagram(disputes, ['CLOSED'])}

${renderTable(columns, disputes.map(disputeRow))}

Each party names the worker's share of the milestone: the poster's offer and the worker's ask. They move only towards each other,
and the gap is the part of the milestone between them. A ruling picks one of the two. If they meet, the dispute ends there.
A judge locks 125 % of the milestone of its bond, at least 2,000 TOK, until it is free. In an open task, the arbitrator of the
terms is the poster's proposal; in a private one, both signed it. If no candidate accepts within the consent window, or one side
says nothing, the final court has the case. Without any ruling the share of the side that did not open the dispute counts.

## Parameters

${renderTable(['', ...markets], paramRows)}
`
}
