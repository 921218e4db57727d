// pnpm bench fairness [--rounds N] [--seconds S] [--latency MS] [--abuse N] [--single-line]: what eight ordinary clients get from the API while
// another one sends N steps a second, with a slow provider. --single-line serves everybody first come, first served.
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { createChainQueue } from '@svc/serve'
import { findQuantile, measureFairness, type Outcome } from './run.ts'
import { createSingleLine } from './singleLine.ts'
import { startSlowApi } from './slowApi.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    latency: { type: 'string', default: '60' },
    abuse: { type: 'string', default: '100' },
    'single-line': { type: 'boolean', default: false },
  },
})
const api = await startSlowApi(Number(values.latency), values['single-line'] ? createSingleLine() : createChainQueue())
const { alone, beside, abuser } = await measureFairness(api.url, {
  taskId: api.taskId,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  abusePerSecond: Number(values.abuse),
  burst: 200,
}).finally(api.stop)
const row = (name: string, outcome: Outcome) => [
  name,
  [...outcome.statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
  `${(outcome.success * 100).toFixed(1)} %`,
  ...[0.5, 0.95, 0.99].map((share) => findQuantile(outcome, share).toFixed(0)),
]
console.log(
  formatTable([
    ['clients', 'answers', 'success', 'p50 ms', 'p95 ms', 'p99 ms'],
    row('eight, alone', alone),
    row('eight, beside the abusive one', beside),
    row('the abusive one', abuser),
  ]),
)
const ratio = findQuantile(beside, 0.99) / findQuantile(alone, 0.99)
console.log(`p99 beside to alone: ${ratio.toFixed(2)}`)
if (beside.success < 0.99 || !(ratio < 2)) process.exitCode = 1
