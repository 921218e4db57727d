import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Counts passed and failed tests from the summaries of forge and vitest; zero if a summary is missing. */
export function countTests(forge: string, vitest: string): { passed: number; failed: number } {
  const [, passed = 0, failed = 0] = /: (\d+) tests passed, (\d+) failed/.exec(forge) ?? []
  const [, line = ''] = /^\s*Tests\s+(.*)$/m.exec(vitest) ?? []
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
  return { passed: Number(passed) + count('passed'), failed: Number(failed) + count('failed') }
}

/** The invariants that forge ran, and how many calls their handlers made. */
export function countInvariantCalls(forge: string): { properties: number; calls: number } {
  const runs = [...forge.matchAll(/^\[PASS\] invariant_\w+\(\) \(runs: \d+, calls: (\d+)/gm)]
  return { properties: runs.length, calls: runs.reduce((sum, [, calls]) => sum + Number(calls), 0) }
}

/** The summary line of the model check. */
export function parseModelCheck(vitest: string): string {
  return /model check: (.*)/.exec(vitest)?.[1] ?? 'did not finish'
}

/** The total row of forge's coverage table, in percent. */
export function parseCoverage(forge: string): { lines: number; branches: number } {
  const total = forge.split('\n').find((line) => /^\|\s*Total/.test(line)) ?? ''
  const [lines = 0, , branches = 0] = [...total.matchAll(/([\d.]+)%/g)].map(([, percent]) => Number(percent))
  return { lines, branches }
}

/** Gas by the name of the measured call. */
export type GasFigures = Readonly<Record<string, number>>

/** The `gas <name> <n>` lines of the gas tests, by name. */
export function parseGas(forge: string): GasFigures {
  const lines = [...forge.matchAll(/^\s*gas (.+) (\d+)$/gm)].map(([, name = '', gas]) => [name, Number(gas)] as const)
  return Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The call that needs the most gas. */
export function findCostliestCall(figures: GasFigures): { name: string; gas: number } {
  const calls = Object.entries(figures).map(([name, gas]) => ({ name, gas }))
  return calls.reduce((most, call) => (call.gas > most.gas ? call : most), { name: 'none measured', gas: 0 })
}

/** Where the gas differs from the committed snapshot by more than the tolerance, cheaper included; empty if nowhere. */
export function compareGas(snapshot: GasFigures, measured: GasFigures, tolerance: number): string[] {
  const names = [...new Set([...Object.keys(snapshot), ...Object.keys(measured)])].sort()
  return names.flatMap((name) => {
    const [before, now] = [snapshot[name], measured[name]]
    if (before === undefined) return [`${name} is new: ${now} gas`]
    if (now === undefined) return [`${name} is no longer measured`]
    const change = (now - before) / before
    if (Math.abs(change) <= tolerance) return []
    return [`${name}: ${before} -> ${now} gas (${change > 0 ? '+' : ''}${(100 * change).toFixed(1)} %)`]
  })
}

/** The contract of contracts/src with the longest runtime code. */
export async function findLargestContract(): Promise<{ name: string; bytes: number }> {
  let largest = { name: 'none', bytes: 0 }
  for await (const file of glob('contracts/out/*.sol/*.json', { cwd: root })) {
    const artifact = JSON.parse(await readFile(join(root, file), 'utf8'))
    const [source, name] = Object.entries<string>(artifact.metadata?.settings?.compilationTarget ?? {})[0] ?? []
    const bytes = (artifact.deployedBytecode.object.length - 2) / 2
    if (name && source?.startsWith('contracts/src/') && bytes > largest.bytes) largest = { name, bytes }
  }
  return largest
}

/** The number of cells that contracts/test/cells covers. */
export async function countCells(): Promise<number> {
  const { situations, ...cells } = JSON.parse(
    await readFile(join(root, 'packages/protocol/vectors/cells.json'), 'utf8'),
  )
  return situations.reduce((sum: number, name: string) => sum + cells[name].errors.length, 0)
}
