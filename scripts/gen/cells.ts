import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CellArgs,
  type CellRole,
  cellRoles,
  cells,
  errorSelector,
  listUnshown,
  type Situation,
  setupNames,
} from '@svc/simulation/model'
import { disputePhases, taskStates } from '../../packages/protocol/src/tasks/states.ts'
import { writeDerived } from './writeDerived.ts'

const file = fileURLToPath(new URL('../../packages/protocol/vectors/cells.json', import.meta.url))

/**
 * Writes the expected result of every call in every situation, for contracts/test/cells. In columns, because forge reads
 * those well; names are places in the lists at the top.
 */
export async function genCells(): Promise<void> {
  const situations = cells()
  const unshown = listUnshown(situations)
  if (unshown.length > 0) throw new Error(`No cell shows: ${unshown.join('; ')}`)
  const operations = [
    ...new Set(situations.flatMap((each) => [...each.steps, ...each.cells].map((call) => call.operation))),
  ]
  const columns: [string, unknown][] = [
    ['situations', situations.map(({ name }) => name)],
    ['operations', operations],
    ...situations.map((each): [string, unknown] => [each.name, listColumns(each, operations)]),
  ]
  await mkdir(dirname(file), { recursive: true })
  const lines = columns.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  await writeDerived(file, `{\n${lines.join(',\n')}\n}\n`)
  const count = situations.reduce((sum, situation) => sum + situation.cells.length, 0)
  console.log(`${count} cells in ${situations.length} situations -> packages/protocol/vectors/cells.json`)
}

function listColumns({ steps, end, cells }: Situation, operations: readonly string[]) {
  // The steps come first, then the cells.
  const calls = [...steps, ...cells]
  return {
    // The last time is the situation's own.
    times: [...steps.map(({ at }) => at), end],
    operations: calls.map(({ operation }) => operations.indexOf(operation)),
    calls: calls.map(encodeCall),
    amounts: calls.map(({ args }) => args.amount.toString()),
    setups: cells.map(({ setup }) => setupNames.indexOf(setup)),
    errors: cells.map(({ error }) => (error ? Number(errorSelector(error)) : 0)),
    states: cells.map(({ state }) => taskStates.indexOf(state)),
    phases: cells.map(({ phase }) => disputePhases.indexOf(phase)),
  }
}

/** A call as bits, from the lowest: caller, `other`, `poster` and the receipt with three each, then each flag. */
function encodeCall({ role, args }: { role: CellRole; args: CellArgs }): number {
  const wallets = [role, args.other, args.poster].reduce((bits, each, i) => bits + cellRoles.indexOf(each) * 8 ** i, 0)
  const receipt = receipts.indexOf(args.receipt) * 2 ** 9
  return flags.reduce((bits, flag, i) => bits + (args[flag] ? 2 ** (12 + i) : 0), wallets + receipt)
}

const receipts: readonly CellArgs['receipt'][] = ['none', 'valid', 'empty', 'short', 'forged']

/** The yes-or-no arguments; contracts/test/cells names them too. */
const flags = [
  'otherMilestone',
  'noHash',
  'unsigned',
  'wrongDigest',
  'permitted',
  'forWorker',
  'wrongCase',
  'stored',
  'named',
  'permitOnly',
] as const satisfies readonly (keyof CellArgs)[]
