// pnpm chaos restore [--counts FILE]: an operator's worst day, on a real chain. Posts are recorded, plans are paid for, the posting
// tables are backed up and the database is destroyed. After the restore everything must be as before.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runScenarios } from '../process/scenarios.ts'
import { destroyAndRestore } from './destroyAndRestore.ts'

const { values } = parseArgs({
  options: {
    /** File for the number of passed and failed scenarios. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})

const { passed, failed } = await runScenarios({ restore: destroyAndRestore }, '')
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
process.exit(failed === 0 ? 0 : 1)
