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
}

export interface Side {
  sql: Sql
  targets: Targets
}

const warmUp = 30

/** Times every read in two builds in turns, so that whatever else the machine does befalls both; also a bare `select 1`. */
export async function measure(small: Side, large: Side, runs: number): Promise<Measured[]> {
  const readers = [small, large].map(({ sql, targets }) => ({ sql, targets, reader: createIndexReader(sql, noPrices) }))
  const measured: Measured[] = []
  for (const [name, read] of [...Object.entries(cases), ['select 1', null] as const]) {
    const times: [number[], number[]] = [[], []]
    for (let turn = -warmUp; turn < runs; turn++) {
      // Who goes second finds the processor busy with the first: they take turns at that too.
      for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { sql, reader, targets } = readers[side] as (typeof readers)[number]
        const started = performance.now()
        await (read ? read(reader, targets, turn + warmUp) : sql`select 1`)
        if (turn >= 0) times[side].push(performance.now() - started)
      }
    }
    measured.push({ name, small: timesOf(times[0]), large: timesOf(times[1]) })
  }
  return measured
}

function timesOf(all: number[]): Times {
  all.sort((a, b) => a - b)
  const at = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
