import {
  type DisputeMove,
  type DisputeRole,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../../packages/protocol/src/disputes.ts'
import { guards } from '../../packages/protocol/src/guards.ts'
import { lifecycle, type Move, onEnter, type Role, type Transition } from '../../packages/protocol/src/lifecycle.ts'
import { markets } from '../../packages/protocol/src/market.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import { terminalStates } from '../../packages/protocol/src/states.ts'

/** Role names for readers. */
export const roleNames: Record<Role | DisputeRole, string> = {
  poster: 'the poster',
  worker: 'the worker',
  party: 'either party',
  claimant: 'anyone but the poster',
  arbitration: 'the arbitration contract',
  panel: 'a member of the panel',
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
      return `USD 8 of the ${move.of}'s deposit reserved`
    case 'penalty':
      return `USD 2.50 from the ${move.of}'s reserve to ${move.to === 'treasury' ? 'the treasury' : `the ${move.to}`}`
    case 'penalty for missing funds':
      return "USD 2.50 from the poster's reserve to the worker, if not fully funded"
    case 'fund':
      return 'the amount from the poster into the escrow'
    case 'pay':
      return `${paid[move.what]} to the worker`
  }
}

function describeDisputeMove(move: DisputeMove): string {
  switch (move.move) {
    case 'refill reserves':
      return "both parties' reserves up to USD 8 again, as far as their deposits go"
    case 'reserve appeal bond':
      return "the appeal bond of the caller's deposit reserved"
    case 'slash silent':
      return '1,000 TOK of each silent member, half to each party'
    case 'collect': {
      const fee = {
        standing: 'USD 5 from who lost, or half from each if the ruling is split',
        'for the worker': 'USD 5 from the poster',
        shared: 'USD 2.50 from each party',
      }[move.ruling]
      const bonds = {
        all: ', and the bonds of appeals that won nothing',
        'all but the last': ', and the bonds of appeals that were heard and won nothing',
        none: '',
      }
      return `${fee}${bonds[move.appeals]}: in equal parts to the bench`
    }
    case 'free appeal bonds':
      return "the worker's appeal bonds are free again"
    case 'settle task':
      return 'the registry pays the ruling (`settleDispute`)'
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

const taskRow = (row: Transition): string[] => [
  operation(row),
  row.from,
  roleNames[row.by],
  joinList(row.guards.map((name) => `${guards[name].rule} (\`${guards[name].error}\`)`)),
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
  ...markets.map((market) => {
    const value = marketParams[market][name]
    return name === 'baseClaims' ? String(value) : formatDuration(value)
  }),
])

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

The access fee is 1,000 TOK or one Action Credit. Its errors and \`InsufficientDeposit\` come from the token and the vaults.

## Disputes

A dispute is open while its task is DISPUTED. A call without a row for its phase reverts with \`WrongPhase\`.

${renderDiagram(disputes, ['CLOSED'])}

${renderTable(columns, disputes.map(disputeRow))}

The bench shares fees and bonds: everyone who sat and was not removed. If it is empty, nothing is collected.
A draw takes two calls of \`seat\`: the first fixes a block a little ahead, the second seats the panel that its hash selects.
Without a ruling the record decides: on the first tier the only side that gave evidence gets everything, otherwise each side gets
half; on appeal the earlier ruling stands.

## Parameters

${renderTable(['', ...markets], paramRows)}
`
}
