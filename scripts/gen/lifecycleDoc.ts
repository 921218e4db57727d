import {
  type DisputeMove,
  type DisputeRole,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../../packages/protocol/src/disputes.ts'
import { guards } from '../../packages/protocol/src/guards.ts'
import { arrivals, lifecycle, type Move, type Role, type Transition } from '../../packages/protocol/src/lifecycle.ts'
import { markets } from '../../packages/protocol/src/market.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import { terminalStates } from '../../packages/protocol/src/states.ts'

/** Roles in words. */
export const who: Record<Role | DisputeRole, string> = {
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

function moveInWords(move: Move): string {
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

function disputeMoveInWords(move: DisputeMove): string {
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

const list = (items: readonly string[]): string => items.join('; ') || '-'
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const columns = ['Operation', 'From', 'Who', 'Rules, in the order they are checked', 'To', 'Changes', 'Money']
const operation = (row: { operation: string; when?: string }): string =>
  `\`${row.operation}\`${row.when ? `, ${row.when}` : ''}`
const next = (to: Transition['to']): string =>
  typeof to === 'string' ? to : to.OPEN === to.PRIVATE ? to.OPEN : `${to.OPEN}; a private task: ${to.PRIVATE}`

const taskRow = (row: Transition): string[] => [
  operation(row),
  row.from,
  who[row.by],
  list(row.guards.map((name) => `${guards[name].rule} (\`${guards[name].error}\`)`)),
  next(row.to),
  list(row.effects),
  list(row.money.map(moveInWords)),
]
const disputeRow = (row: DisputeTransition): string[] => [
  operation(row),
  row.from,
  who[row.by],
  list(row.guards.map((name) => `${disputeGuards[name].rule} (\`${disputeGuards[name].error}\`)`)),
  row.to,
  list(row.effects),
  list(row.money.map(disputeMoveInWords)),
]

/** A state diagram: one arrow for each pair of states, with all the operations that go there. */
function diagram(rows: readonly { from: string; to: string; operation: string }[], ends: readonly string[]): string {
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

function duration(seconds: number): string {
  if (seconds % 86_400 === 0 && seconds >= 604_800) return `${seconds / 86_400} d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds / 60} min`
}

const params = Object.keys(marketParams.standard) as (keyof typeof marketParams.standard)[]
const paramRows = params.map((name) => [
  `\`${name}\``,
  ...markets.map((market) => {
    const value = marketParams[market][name]
    return name === 'baseClaims' ? String(value) : duration(value)
  }),
])

/** The lifecycle and dispute tables in words, with their diagrams. */
export function lifecycleDoc(): string {
  return `<!-- Generated by \`pnpm gen\` from packages/protocol/src. Do not edit. -->

# The lifecycle of a task

Every limit belongs to one side: until it, and in its very second, to the party with a duty; after it to the default,
which anyone can call. So at every moment exactly one of them applies, and time alone brings every task to an end.

A call is checked in one order: does the task exist (\`TaskNotFound\`), is there a row for its state (\`WrongState\`), is it
the right caller, then the rules from left to right. The first that fails names the error.

${diagram(taskArrows, terminalStates)}

## Tasks

${table(columns, lifecycle.map(taskRow))}

Reaching a state brings more with it, whatever the operation:

${table(
  ['State', 'Brings'],
  Object.entries(arrivals).map(([state, brings]) => [state, list(brings)]),
)}

The access fee is 1,000 TOK or one Action Credit. Its errors, and \`InsufficientDeposit\`, come from the token and the vaults.

## Disputes

A dispute runs while its task is DISPUTED. A call without a row for its phase is refused with \`WrongPhase\`.

${diagram(disputes, ['CLOSED'])}

${table(columns, disputes.map(disputeRow))}

Fees and bonds are shared by the bench: everyone who sat and was not removed. Nothing is taken while it is empty.
A draw is two calls of \`seat\`: the first fixes a block a little ahead, the second seats whom its hash draws.
Without a ruling the record rules: on the first tier the side that alone gave evidence gets all, else each gets half; on
appeal the ruling appealed from stands.

## Parameters

${table(['', ...markets], paramRows)}
`
}
