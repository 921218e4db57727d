// pnpm chaos restore [--counts FILE]: an operator's worst day on a real chain. Posts are recorded and plans paid for, the posting
// tables are backed up, the database is destroyed with all it had, and everything must be the same again.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { playScenes } from '../process/scenes.ts'
import { loseEverything } from './loseEverything.ts'

const { values } = parseArgs({
  options: {
    /** Where to leave how many scenes passed and failed. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})

const { passed, failed } = await playScenes({ restore: loseEverything }, '')
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
process.exit(failed === 0 ? 0 : 1)
