import { createIndexReader } from '@svc/index'
import type { Sql } from 'postgres'
import { cases, type Targets } from './cases.ts'
import { noPrices } from './noPrices.ts'

/** Milliseconds. */
interface Times {
  p50: number
  p99: number
}

export interface Measured {
  name: string
  small: Times
  large: Times
  /** How often it was measured until it was fast enough. The last measurement counts. */
  tries: number
}

export interface Side {
  sql: Sql
  targets: Targets
}

const warmUp = 30
const mostTries = 3

/** How much longer a read may take in the large build. */
const mostRatio = 1.2

/** Whether a read is slower in the large build. */
export const isSlower = ({ small, large }: Measured): boolean => large.p50 > small.p50 * mostRatio

/**
 * Times every read in two builds alternately, so that other load on the machine affects both; also a bare `select 1`.
 * A read that seems slower is timed again: noise does not repeat, growth does.
 */
export async function measureReads(small: Side, large: Side, runs: number): Promise<Measured[]> {
  const sides = [small, large].map(({ sql, targets }) => ({ sql, targets, reader: createIndexReader(sql, noPrices) }))
  const measured: Measured[] = []
  for (const [name, read] of [...Object.entries(cases), ['select 1', null] as const]) {
    for (let tries = 1; tries <= mostTries; tries++) {
      const [first, second] = await interleave(sides, runs, ({ sql, reader, targets }, turn) =>
        read ? read(reader, targets, turn) : sql`select 1`,
      )
      const times = { name, small: summarizeTimes(first), large: summarizeTimes(second), tries }
      if (tries < mostTries && isSlower(times)) continue
      measured.push(times)
      break
    }
  }
  return measured
}

async function interleave<T>(
  sides: readonly T[],
  runs: number,
  run: (side: T, turn: number) => Promise<unknown>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let turn = -warmUp; turn < runs; turn++) {
    // The second one of a pair is slower, because the CPU is busy. So the order alternates too.
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const started = performance.now()
      await run(sides[side] as T, turn + warmUp)
      if (turn >= 0) times[side].push(performance.now() - started)
    }
  }
  return times
}

function summarizeTimes(all: number[]): Times {
  all.sort((a, b) => a - b)
  const at = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
