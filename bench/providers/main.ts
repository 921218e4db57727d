// pnpm bench providers [--seconds S] [--only NAME,NAME] [--json FILE] [--assert]
// What one bad provider of three costs: served lag, slow and failed requests, and calls to each provider.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { faults, measureFaults, type Phase } from './run.ts'

const { values } = parseArgs({
  options: {
    /** How long each fault lasts. */
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: [...faults.keys()].join() },
    assert: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

const bounds = { lagMs: 3_000, requestMs: 2_000 }
/** With three slow providers only the lag is bounded, and no request fails. */
const allSlowBounds = { lagMs: 15_000, requestMs: Number.POSITIVE_INFINITY }

const names = values.only.split(',')
const unknown = names.filter((name) => !faults.has(name))
if (unknown.length > 0) throw new Error(`Unknown fault ${unknown}; there are ${[...faults.keys()].join(', ')}.`)
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
const { phases, machine } = await measureFaults(names, Number(values.seconds), interrupted.signal)
const rows = phases.map(summarize)
const show = (ms: number) => (Number.isNaN(ms) ? '-' : Math.round(ms).toLocaleString('en'))
console.log(
  `provider 1 of 3 is bad for ${values.seconds} s; providers at 120, 160 and 200 ms, blocks of 200 ms, times in ms`,
)
console.log(
  formatTable([
    [
      ...['fault', 'served lag p50', 'max', 'list p99', 'max', 'chain read p50', 'p99', 'max', 'its lag max'],
      ...['requests', 'failed', 'calls/s to 1', '2', '3', 'bounds'],
    ],
    ...rows.map(({ name, lag, list, chainRead, requests, failed, callsPerSecond, missed }) => [
      ...[name, show(lag.p50), show(lag.max), show(list.p99), show(list.max)],
      ...[show(chainRead.p50), show(chainRead.p99), show(chainRead.max), show(chainRead.lagMax)],
      ...[String(requests), failed.join(', ') || '0', ...callsPerSecond.map((each) => each.toFixed(1))],
      missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`,
    ]),
  ]),
)
console.log(`this machine meanwhile: timers up to ${machine.timerLongest} ms late (p99 ${machine.timerP99})`)
console.log(`load average ${loadavg().map((each) => each.toFixed(1))}`)
const met = rows.every(({ missed }) => missed.length === 0)
console.log(
  `${met ? 'met' : 'MISSED'}: served lag at most ${bounds.lagMs} ms, no request above ${bounds.requestMs} ms, none failed; all-slow: lag at most ${allSlowBounds.lagMs} ms, none failed`,
)
if (values.json) await writeFile(values.json, `${JSON.stringify({ rows, machine }, null, 2)}\n`)
process.exit(values.assert && !met ? 1 : 0)

function summarize({ name, seconds, calls, lists, chainReads }: Phase) {
  const all = [...lists, ...chainReads]
  const lag = describe(lists.flatMap(({ lagMs }) => lagMs ?? []))
  const list = describe(lists.map(({ ms }) => ms))
  const chainRead = {
    ...describe(chainReads.map(({ ms }) => ms)),
    lagMax: describe(chainReads.flatMap(({ lagMs }) => lagMs ?? [])).max,
  }
  const failed = Map.groupBy(
    all.map(({ status }) => status).filter((status) => status !== '200'),
    (status) => status,
  )
  const { lagMs, requestMs } = name === 'all-slow' ? allSlowBounds : bounds
  const checks = {
    lag: lag.max <= lagMs,
    list: list.max <= requestMs,
    'chain read': chainRead.max <= requestMs,
    failed: failed.size === 0,
  }
  return {
    name,
    lag,
    list,
    chainRead,
    requests: all.length,
    failed: [...failed].map(([status, { length }]) => `${length} × ${status}`),
    callsPerSecond: calls.map((count) => count / seconds),
    missed: Object.entries(checks).flatMap(([check, isMet]) => (isMet ? [] : check)),
  }
}

function describe(times: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
