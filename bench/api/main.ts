// pnpm bench api [--tasks N] [--events N] [--small N] [--seconds S] [--rounds N]: GET /api/market/open?limit=100 of the real API
// beside a bare Hono app and bare node:http that send the same bytes, and beside Postgres running the same query alone.
// Needs wrk and pgbench.
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { type ApiBench, runApiBench } from './run.ts'
import type { Load } from './wrk.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '8000000' },
    small: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '3' },
  },
})

const { small, large } = await runApiBench({
  tasks: Number(values.tasks),
  events: Number(values.events),
  smallTasks: Number(values.small),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  log: console.log,
})
for (const size of [small, large])
  console.log(`\n${size.tasks} tasks, an answer of ${size.bytes} bytes\n${formatTable(formatRows(size))}`)
const share = (of: (bench: ApiBench) => number) => (of(large) / of(small)).toFixed(2)
console.log(
  `\nlarge to small: cached ${share(({ cached, hono }) => cached.perSecond / hono.perSecond)}, uncached ${share(({ uncached, postgres }) => uncached.perSecond / postgres)} (each as a ratio to its engine)`,
)

function formatRows({ hono, http, cached, notModified, uncached, uncachedByTwo, postgres }: ApiBench): string[][] {
  const row = (what: string, load: Pick<Load, 'perSecond'> & Partial<Load>, ratio = '') => [
    what,
    Math.round(load.perSecond).toLocaleString('en'),
    load.p50Ms?.toFixed(1) ?? '',
    load.p99Ms?.toFixed(1) ?? '',
    ratio,
  ]
  const to = (part: number, whole: number, name: string) => `${(part / whole).toFixed(2)} of ${name}`
  return [
    ['what', 'requests/s', 'p50 ms', 'p99 ms', 'ratio'],
    row('bare node:http, the same bytes', http),
    row('bare Hono, the same bytes', hono, to(hono.perSecond, http.perSecond, 'node:http')),
    row('the API, cached', cached, to(cached.perSecond, hono.perSecond, 'Hono')),
    row('the API, 304', notModified, to(notModified.perSecond, hono.perSecond, 'Hono')),
    row('bare Postgres, the same query', { perSecond: postgres }),
    row('the API, uncached', uncached, to(uncached.perSecond, postgres, 'Postgres')),
    row('the same, two processes', uncachedByTwo, to(uncachedByTwo.perSecond, postgres, 'Postgres')),
  ]
}
