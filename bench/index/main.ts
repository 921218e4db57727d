// pnpm bench index [--short] [--seconds S] [--rounds N] [--only sim,anvil,follow] [--assert] [--json FILE] [--profile DIR]
// Speed as a ratio to the bare engine, measured in the same run on the same data.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { runIndexBench } from './run.ts'

const { values } = parseArgs({
  options: {
    /** A tenth of everything with generous bounds, for CI. */
    short: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', default: 'sim,anvil,follow' },
    assert: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})

const report = await runIndexBench({
  short: values.short,
  seconds: values.seconds ? Number(values.seconds) : undefined,
  rounds: values.rounds ? Number(values.rounds) : undefined,
  only: values.only.split(','),
  profile: values.profile,
})
for (const { title, rows } of report.tables) console.log(`\n${title}\n${formatTable(rows)}`)
const missed = report.bounds.filter(({ met }) => !met)
for (const { what, found, bound, met } of report.bounds)
  console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${found} (${bound})`)
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
if (values.assert && missed.length > 0) process.exitCode = 1
