import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { disputeGuards, disputeRoles, disputes } from './disputes.ts'
import { guards } from './guards.ts'
import { lifecycle, onEnter, roles } from './lifecycle.ts'
import { terminalStates } from './states.ts'

const contracts = new URL('../../../../contracts/src/', import.meta.url)
const interfaces = readdirSync(new URL('interfaces/', contracts))
  .map((file) => readFileSync(new URL(`interfaces/${file}`, contracts), 'utf8'))
  .join('\n')
/** Errors of OpenZeppelin that reach a caller as they are. */
const inherited = ['EnforcedPause', 'ERC20InsufficientBalance']

type Row = { operation: string; from: string; when?: string; by: string }
const tables: [string, readonly Row[]][] = [
  ['lifecycle', lifecycle],
  ['disputes', disputes],
]

test('every error of a guard or a role is declared by an interface', () => {
  const declared = new Set([...inherited, ...[...interfaces.matchAll(/error (\w+)\(/g)].map(([, name]) => name)])
  const used = [...Object.values(guards), ...Object.values(disputeGuards)].map(({ error }) => error)
  const errors = [...used, ...Object.values(roles), ...Object.values(disputeRoles)].filter((error) => error !== null)
  expect(errors.filter((error) => !declared.has(error))).toEqual([])
})

test.each(tables)('%s: a condition distinguishes rows of one operation and state', (_, rows) => {
  for (const cell of Map.groupBy(rows, ({ operation, from }) => `${operation} ${from}`).values()) {
    const named = new Set(cell.flatMap(({ when }) => when ?? []))
    expect(cell.length === 1 || named.size === cell.length).toBe(true)
  }
})

test('every guard is used', () => {
  const unused = (names: object, rows: readonly { guards: readonly string[] }[]) => {
    const used = new Set(rows.flatMap((row) => row.guards))
    return Object.keys(names).filter((name) => !used.has(name))
  }
  expect(unused(guards, lifecycle)).toEqual([])
  expect(unused(disputeGuards, disputes)).toEqual([])
})

test('no row leaves a terminal state, and entering one refunds what is left', () => {
  const terminal = new Set<string>(terminalStates)
  expect(lifecycle.filter(({ from }) => terminal.has(from))).toEqual([])
  for (const state of terminalStates) expect(onEnter[state]).toContain('refund held')
})
