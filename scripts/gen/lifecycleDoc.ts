import {
  type DisputeMove,
  type DisputeRole,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../../packages/protocol/src/disputes.ts'
import { type Guard, guards } from '../../packages/protocol/src/guards.ts'
import { lifecycle, type Move, onEnter, type Role, type Transition } from '../../packages/protocol/src/lifecycle.ts'
import { markets } from '../../packages/protocol/src/market.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import { type DisputePhase, terminalStates } from '../../packages/protocol/src/states.ts'

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
      return `the ${move.of}'s reserve is raised to USD 8`
    case 'lock exit deposit':
      return `exit deposit of the ${move.of}`
    case 'spend exit deposit':
      return `the ${move.of}'s exit deposit is spent like an access fee`
    case 'penalty':
      return `${move.what === 'whole reserve' ? 'USD 8' : 'USD 2.50'} from the ${move.of}'s reserve to the treasury`
    case 'fund':
      return 'the amount from the poster into the escrow'
    case 'pay':
      return `${paid[move.what]} to the worker`
    case 'court costs':
      return 'forfeited exit deposits are spent like access fees; the court share to whoever ruled'
  }
}

function describeDisputeMove(move: DisputeMove): string {
  switch (move.move) {
    case 'refill reserves':
      return "both parties' reserves up to USD 8 again, as far as their deposits go"
    case 'take stake':
      return 'from a poster that opens, a tenth of the milestone as its stake'
    case 'reserve appeal fee':
      return "USD 10 of the loser's deposit reserved"
    case 'pay appeal fee':
      return 'the USD 10 of the appeal to the final court'
    case 'slash silent judge':
      return "a tenth of the milestone of the judge's bond, at least 2,000 TOK, half to each party"
    case 'slash overturned judge':
      return "a tenth of the gap of the judge's bond, at least 2,000 TOK, to the appellant; if the ruling was unfounded, all that the gap locks of it, the rest to the treasury"
    case 'loser pays': {
      const to = { judge: 'the judge', court: 'the final court', appellant: 'the appellant' }[move.feeTo]
      return `from the loser's reserve USD 5 to ${to} and USD 3 to the winner; a worker that gets nothing pays the treasury USD 5 more`
    }
    case 'pay judge':
      return move.from === 'both'
        ? 'USD 2.50 from each party to a seated judge'
        : 'USD 5 from the poster to a seated judge'
    case 'worker gives up':
      return 'from the worker USD 5 to a seated judge, else to the treasury, USD 3 to the poster and USD 2.50 to the treasury'
    case 'return stake': {
      const less = {
        nothing: '',
        settlement: ', less 1 % of the milestone for the worker',
        'tenth of the gap': ', less a tenth of the gap for a worker that won',
      }[move.less]
      return `the stake back to the poster${less}`
    }
    case 'settle task': {
      const share = {
        judge: ', 1 % of the gap of it, at most 1,000 TOK, to the judge',
        court: ', 1 % of the gap of it to the final court',
      }
      const forfeits = {
        'whoever gets nothing': '; a side that gets nothing forfeits its exit deposit',
        worker: '; the worker forfeits its exit deposit',
      }
      const courtShare = move.courtShareTo ? share[move.courtShareTo] : ''
      return `the registry divides the milestone (\`settleDispute\`)${courtShare}${move.forfeits ? forfeits[move.forfeits] : ''}`
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
  OPEN: 'a judge: named and accepting, or drawn after the consent window; until the end of evidence',
  EVIDENCE: 'the ruling of the judge; until the ruling window after the end of evidence',
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
it. Otherwise the worker has one more review window to add the receipt, to open a dispute or to leave. A completion and a payment
count for reputation only later than one vet window after the claim. Leaving, a late dismissal and a missed duty leave a mark.

## Disputes

A dispute is open while its task is DISPUTED. A call without a row for its phase reverts with \`WrongPhase\`. Where a condition
chooses between rows, it is checked before the caller.

${renderTable(['Phase', 'What it waits for'], phaseRows)}

${renderDiagram(disputes, ['CLOSED'])}

${renderTable(columns, disputes.map(disputeRow))}

Each party names the worker's share of the milestone: the poster's offer and the worker's ask. They move only towards each other,
and the gap is the part of the milestone between them. A ruling picks one of the two. If they meet, the dispute ends there.
A judge locks 125 % of the milestone of its bond, at least 2,000 TOK, until the dispute closes. A draw takes two calls of \`seat\`:
the first fixes a block a little ahead, the second seats the judge that its hash selects among bonds that were seven days old
when the dispute opened. There is one draw; if it finds nobody, the final court sits. Without any ruling the share of the side
that did not open the dispute counts.

## Parameters

${renderTable(['', ...markets], paramRows)}
`
}
