import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'

/** How busy the machine was: what a process that does almost nothing had to wait for. Milliseconds. */
export interface MachineDelays {
  /** Timers that fired late. */
  timerP99: number
  timerLongest: number
  /** One row written and committed, once a second. */
  commitP99: number
  commitLongest: number
}

/** Watches a machine until `stop` is called. Lag below these delays cannot be measured on it. */
export async function watchMachine(database: string): Promise<{ stop: () => Promise<MachineDelays> }> {
  const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} })
  await sql`create table bench_commits (at bigint)`
  const timers = monitorEventLoopDelay({ resolution: 20 })
  const stopped = new AbortController()
  const commits: number[] = []
  timers.enable()
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const start = performance.now()
      await sql`insert into bench_commits values (${Date.now()})`
      commits.push(performance.now() - start)
      await wait(1_000, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await watching
      timers.disable()
      await sql.end({ timeout: 1 })
      const sorted = commits.toSorted((a, b) => a - b)
      return {
        timerP99: Math.round(timers.percentile(99) / 1e6),
        timerLongest: Math.round(timers.max / 1e6),
        commitP99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN),
        commitLongest: Math.round(sorted.at(-1) ?? Number.NaN),
      }
    },
  }
}
