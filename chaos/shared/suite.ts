import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { killAllProcesses } from './appProcess.ts'

/** What `--counts FILE` gets. */
export interface Counts {
  passed: number
  failed: number
}

type Defaults = Readonly<Record<string, number | string | boolean>>
type Options<Given extends Defaults> = {
  [Name in keyof Given]: Given[Name] extends number ? number : Given[Name] extends boolean ? boolean : string
}

/** Reads the options of a suite, and `--counts FILE`. A default says what its option takes: a number, a text or nothing. */
export function parseOptions<Given extends Defaults>(defaults: Given): Options<Given> & { counts: string } {
  const all = Object.entries<number | string | boolean>({ ...defaults, counts: '' })
  const types = all.map(
    ([name, byDefault]) => [name, { type: typeof byDefault === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  const { values } = parseArgs({ options: Object.fromEntries(types) })
  const read = ([name, byDefault]: (typeof all)[number]) => {
    const value = values[name] ?? byDefault
    if (typeof byDefault !== 'number') return [name, value]
    if (Number.isNaN(Number(value))) throw new Error(`--${name} ${value} is not a number.`)
    return [name, Number(value)]
  }
  return Object.fromEntries(all.map(read))
}

/** The numbers of `--seeds N --from SEED`. */
export const listSeeds = ({ seeds, from }: { seeds: number; from: number }): number[] =>
  Array.from({ length: seeds }, (_, index) => from + index)

/** Starts what a suite needs, runs it, stops that again, also at a signal, and ends this process: with 1 if something failed. */
export async function runSuite<World extends { stop: () => Promise<void> }>(
  options: { counts: string },
  start: () => Promise<World>,
  run: (world: World) => Promise<Counts>,
): Promise<void> {
  const world = await start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void world.stop().finally(() => process.exit(1)))
  const counts = await run(world).finally(() => world.stop())
  if (options.counts) await writeFile(options.counts, JSON.stringify(counts))
  process.exit(counts.failed === 0 ? 0 : 1)
}

/** One seed, round or scenario of a suite. */
export interface Run {
  name: string
  /** The command that repeats it. */
  rerun: string
  /** Fails by throwing, or by returning what is wrong. */
  play: () => Promise<RunReport>
}

interface RunReport {
  /** Added up over all runs. */
  figures?: object
  /** Printed instead of the figures. */
  text?: string
  faults?: readonly string[]
  /** The time limit that was missed, if one was. */
  tooSlow?: string | null
}

/** A wait took longer than it may. */
export class TooSlowError extends Error {
  override name = 'TooSlowError'
}

interface RunEachOptions {
  /** How many run at the same time. */
  parallel?: number
  /** The figures of which the largest counts, not the sum. */
  largest?: readonly string[]
  /** A run that takes longer has failed. */
  longestMs?: number
}

const maxFaults = 20
/** A time limit that was missed while the host took a larger part of the processors says nothing: the run is played again. */
const maxStolen = 0.1
const maxPlays = 3

/** Plays every run, also after one has failed, and prints and counts the results. */
export async function runEach(runs: readonly Run[], options: RunEachOptions = {}): Promise<Counts> {
  const { parallel = 1, largest = [], longestMs = 2 ** 31 - 1 } = options
  const counts = { passed: 0, failed: 0 }
  const sum: Record<string, number> = {}
  const began = Date.now()
  const queue = runs.values()
  const playQueue = async () => {
    for (const { name, rerun, play } of queue) {
      const at = Date.now()
      const { figures = {}, text = JSON.stringify(figures), faults = [] } = await playFairly(name, play, longestMs)
      for (const [field, value] of Object.entries(figures)) {
        if (typeof value !== 'number') continue
        const before = sum[field] ?? 0
        sum[field] = largest.includes(field) ? Math.max(before, value) : before + value
      }
      const isOk = faults.length === 0
      counts[isOk ? 'passed' : 'failed']++
      console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name} in ${Date.now() - at} ms: ${text}`)
      for (const fault of faults.slice(0, maxFaults)) console.log(`  ${fault.slice(0, 4_000)}`)
      if (!isOk) console.log(`  Rerun: ${rerun}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, playQueue))
  const [seconds, load] = [Math.round((Date.now() - began) / 1_000), loadavg()[0]?.toFixed(1)]
  console.log(`${runs.length} runs in ${seconds} s, ${counts.failed} failed; ${JSON.stringify(sum)}; load ${load}`)
  return counts
}

/** Plays a run, and again if it only missed a time limit on a machine that did not get its processors. */
async function playFairly(name: string, play: Run['play'], longestMs: number): Promise<RunReport> {
  for (let plays = 1; ; plays++) {
    const readStolen = watchStolenTime()
    const { tooSlow = null, faults = [], ...report } = await playInTime(play, longestMs)
    const stolen = readStolen()
    const isUnfair = tooSlow !== null && faults.length === 0 && stolen > maxStolen
    if (!isUnfair || plays === maxPlays) return { ...report, faults: tooSlow === null ? faults : [...faults, tooSlow] }
    console.log(`again  ${name}: ${tooSlow} The host took ${Math.round(stolen * 100)} % of the processors meanwhile.`)
  }
}

async function playInTime(play: Run['play'], longestMs: number): Promise<RunReport> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new TooSlowError(`It did not end in ${longestMs} ms.`)), longestMs)
  const failed = (error: Error): RunReport =>
    error instanceof TooSlowError
      ? { text: '', tooSlow: error.message }
      : { text: '', faults: [error.stack ?? error.message] }
  return Promise.race([play(), late.promise])
    .catch(failed)
    .finally(() => clearTimeout(timer))
}

/** What a scenario showed, with its figures. */
export interface ScenarioResult {
  what: string
  figures: string
  /** What is wrong; null if nothing is. */
  fault: string | null
  /** The time limit that was missed; null if none was. */
  tooSlow?: string | null
}

/** Plays the scenarios whose name contains `only`, one after another. No process outlives its scenario. */
export function runScenarios<World>(
  suite: string,
  world: World,
  scenarios: Readonly<Record<string, (world: World) => Promise<ScenarioResult>>>,
  only: string,
): Promise<Counts> {
  const chosen = Object.entries(scenarios).filter(([name]) => name.includes(only))
  return runEach(
    chosen.map(([name, run]) => ({
      name,
      rerun: `pnpm chaos ${suite} --only '${name}'`,
      play: async () => {
        const { what, figures, fault, tooSlow = null } = await run(world).finally(killAllProcesses)
        return { text: `${what}\n       ${figures}`, faults: fault ? [fault] : [], tooSlow }
      },
    })),
  )
}

/** Starts to measure which part of the processors' time the host of a virtual machine takes. Always 0 where Linux does not count it. */
function watchStolenTime(): () => number {
  const before = readTimes()
  return () => {
    const now = readTimes()
    const [stolen, all] = [now.stolen - before.stolen, now.all - before.all]
    return all > 0 ? stolen / all : 0
  }
}

function readTimes(): { stolen: number; all: number } {
  try {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    // user nice system idle iowait irq softirq steal
    const times = first.trim().split(/\s+/).slice(1, 9).map(Number)
    return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) }
  } catch {
    return { stolen: 0, all: 0 }
  }
}
