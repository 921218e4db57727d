import { startAnvilChain } from './anvil.ts'
import { type Backfill, measureBackfill } from './backfill.ts'
import type { BenchChain } from './chain.ts'
import { type Followed, measureFollow } from './follow.ts'
import { startSimulatedChain } from './simulated.ts'

export interface IndexBenchOptions {
  /** A tenth of everything, with generous bounds. */
  short: boolean
  seconds?: number | undefined
  rounds?: number | undefined
  /** Which parts: sim, anvil, follow. */
  only: readonly string[]
  profile?: string | undefined
}

/** A required bound, and the measured value. */
interface Bound {
  what: string
  found: string
  bound: string
  met: boolean
}

export interface IndexReport {
  backfills: Record<string, Backfill>
  followed: Followed | null
  tables: { title: string; rows: string[][] }[]
  bounds: Bound[]
}

/** Backfill on a simulated chain and on a real node, then following at full load. */
export async function runIndexBench({ short, only, profile, ...options }: IndexBenchOptions): Promise<IndexReport> {
  const events = short ? 20_000 : 200_000
  const rounds = options.rounds ?? (short ? 1 : 3)
  const seconds = options.seconds ?? (short ? 10 : 60)
  const limits = short
    ? { ratios: [0.2, 0.2], p99: 5, lag: 5, growth: 2 }
    : { ratios: [0.6, 0.5], p99: 1, lag: 2, growth: 1.25 }
  const shape = {
    seed: 1,
    eventsPerBlock: 100,
    blocks: events / 100,
    quiet: short ? 1_000 : 10_000,
    held: 0,
    latencies: [0, 0, 0],
  }
  const chains: Record<string, () => Promise<BenchChain>> = {
    sim: () => startSimulatedChain(shape),
    anvil: () => startAnvilChain(events, 60),
  }
  const report: IndexReport = { backfills: {}, followed: null, tables: [], bounds: [] }

  for (const [name, start] of Object.entries(chains)) {
    if (!only.includes(name)) continue
    const chain = await start()
    try {
      const found = await measureBackfill(chain, rounds, profile)
      report.backfills[name] = found
      report.tables.push(backfillTable(name, found))
      for (const [at, least] of limits.ratios.entries()) {
        const ratio = (found.index[at]?.rate ?? 0) / found.bare.rate
        report.bounds.push(bound(`${name}: index to bare, providers: ${at + 1}`, ratio, least, ratio >= least))
      }
    } finally {
      await chain.stop()
    }
  }
  if (only.includes('follow')) {
    const found = await measureFollow({ seconds, eventsPerBlock: 1_000, blockMs: 200, profile })
    report.followed = found
    report.tables.push(followTable(found))
    const [p99, lag, growth] = [found.p99 / 1000, found.lag / 1000, found.end / found.warm]
    report.bounds.push(
      bound('follow: visible p99 in seconds', p99, limits.p99, p99 <= limits.p99),
      bound('follow: longest lag in seconds', lag, limits.lag, lag <= limits.lag),
      bound('follow: memory at the end to memory when warm', growth, limits.growth, growth <= limits.growth),
    )
  }
  return report
}

function bound(what: string, found: number, limit: number, met: boolean): Bound {
  return { what, found: found.toFixed(2), bound: String(limit), met }
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
const megabytes = (bytes: number) => `${whole(bytes / 1024 / 1024)} MB`

function backfillTable(name: string, { events, blocks, bare, index }: Backfill) {
  const ways = [
    { way: 'bare: getLogs, decode, COPY; 1 provider', filled: bare },
    ...index.map((filled, at) => ({ way: `index, providers that must agree: ${at + 1}`, filled })),
  ]
  return {
    title: `Backfill of ${whole(events)} events in ${whole(blocks)} blocks (${name})`,
    rows: [
      ['what', 'events/s', 'ratio', 'CPU', 'peak memory', 'rounds'],
      ...ways.map(({ way, filled: { rate, cpu, peak, rounds } }) => [
        way,
        whole(rate),
        (rate / bare.rate).toFixed(2),
        `${cpu.toFixed(1)} s`,
        megabytes(peak),
        rounds.map(whole).join(' '),
      ]),
    ],
  }
}

function followTable({ eventsPerSecond, seconds, p50, p99, lag, warm, end }: Followed) {
  return {
    title: `Following ${whole(eventsPerSecond)} events/s for ${seconds} s in 200 ms blocks, 2 providers`,
    rows: [
      ['mined to visible, p50', 'p99', 'longest', 'memory warm', 'at the end'],
      [`${p50} ms`, `${p99} ms`, `${lag} ms`, megabytes(warm), megabytes(end)],
    ],
  }
}
