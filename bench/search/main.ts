// pnpm bench search [--tasks N] [--small N] [--runs N]: what a search costs when a million tasks wait for a worker.
import { parseArgs } from 'node:util'
import { runSearch } from './run.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '1500' },
  },
})

const { measured, faults } = await runSearch({
  tasks: Number(values.tasks),
  smallTasks: Number(values.small),
  runs: Number(values.runs),
  log: console.log,
})
const ms = (time: number) => time.toFixed(2)
console.table(
  measured.map(({ name, small, large, bare }) => ({
    search: name,
    'small p50 ms': ms(small.p50),
    'large p50 ms': ms(large.p50),
    'small p99': ms(small.p99),
    'large p99': ms(large.p99),
    'p50 large / small': ms(large.p50 / small.p50),
    'p99 large / small': ms(large.p99 / small.p99),
    'bare statement p50': ms(bare.p50),
    'bare / large p50': ms(bare.p50 / large.p50),
  })),
)
for (const fault of faults) console.log(fault)
console.log(`${faults.length || 'no'} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
