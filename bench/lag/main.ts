// pnpm bench lag [--seconds S] [--polling] [--assert] [--json FILE]
// How far the index is behind a chain of 200 ms blocks at providers with the latency and limits of real ones, and what that costs.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { latencies, measureLag } from './run.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    /** Without sockets. */
    polling: { type: 'boolean', default: false },
    assert: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

const bounds = { p99: 2_000, callsPerBlock: 5 }
const report = await measureLag({ seconds: Number(values.seconds), sockets: !values.polling })
const { blocks, p50, p99, longest, callsPerBlock, headsPerBlock, bill } = report
const count = (value: number) => Math.round(value).toLocaleString('en')
const way = values.polling ? 'polling' : 'newHeads over WebSocket'
console.log(`${count(blocks)} blocks of 200 ms, providers at ${latencies.join(', ')} ms, both markets, ${way}`)
console.log(
  formatTable([
    ['mined to visible, p50', 'p99', 'longest', 'calls per block', 'heads pushed per block'],
    [`${p50} ms`, `${p99} ms`, `${longest} ms`, callsPerBlock.toFixed(2), headsPerBlock.toFixed(2)],
  ]),
)
console.log('\nOne month, all providers together. Calls are measured, prices are assumptions (bench/lag/bill.ts).')
const total = bill.reduce((sum, row) => sum + row.dollars, 0)
console.log(
  formatTable([
    ['method', 'per block', 'per month', 'estimated bill'],
    ...bill.map((row) => [
      row.method,
      row.callsPerBlock.toFixed(2),
      `${(row.callsPerMonth / 1e6).toFixed(1)} M`,
      `$${count(row.dollars)}`,
    ]),
    ['together', '', '', `$${count(total)}`],
  ]),
)
const { timerP99, timerLongest, commitP99, commitLongest } = report.machine
console.log(
  `\nthis machine meanwhile: timers up to ${timerLongest} ms late (p99 ${timerP99}), one committed row up to ${commitLongest} ms (p99 ${commitP99})`,
)
console.log(`${(100 * report.late).toFixed(2)} % of the blocks took longer than 2 s`)
for (const line of report.warnings) console.log(line)
console.log(`load average ${loadavg().map((each) => each.toFixed(1))}`)
const met = p99 < bounds.p99 && callsPerBlock <= bounds.callsPerBlock
console.log(`${met ? 'met' : 'MISSED'}: p99 below ${bounds.p99} ms, at most ${bounds.callsPerBlock} calls per block`)
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
if (values.assert && !met) process.exitCode = 1
