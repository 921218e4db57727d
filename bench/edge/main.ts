// pnpm bench edge [--tasks N] [--seconds S] [--rounds N] [--change MS]: GET /api/market/open?limit=100 of the real API through
// nginx with deploy/nginx.conf, while the market changes, beside a bare nginx that sends the same bytes from a file, and how
// many requests reach the replica meanwhile. Needs nginx and wrk, which share the CPU with everything else.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { runEdgeBench } from './run.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '3' },
    /** Milliseconds between changes of the market. */
    change: { type: 'string', default: '1000' },
  },
})

const { variants, seen } = await runEdgeBench({
  tasks: Number(values.tasks),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  changeMs: Number(values.change),
  log: console.log,
})
const rows = variants.map(({ name, bytes, edge, bare, originPerSecond }) => [
  name,
  bytes.toLocaleString('en'),
  Math.round(edge.perSecond).toLocaleString('en'),
  edge.p50Ms.toFixed(1),
  edge.p99Ms.toFixed(1),
  Math.round(bare.perSecond).toLocaleString('en'),
  (edge.perSecond / bare.perSecond).toFixed(2),
  originPerSecond.toFixed(1),
])
const heads = ['what', 'bytes', 'edge requests/s', 'p50 ms', 'p99 ms', 'bare nginx/s', 'ratio', 'origin requests/s']
console.log(`\nno error in any round; load ${loadavg()[0]?.toFixed(1)}\n${formatTable([heads, ...rows])}`)
console.log(
  `\n${seen.changes} changes of the market, visible at the edge after ${seen.p50Ms} ms (median), ${seen.maxMs} ms (slowest)`,
)
