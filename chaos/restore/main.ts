// pnpm chaos restore: an operator's worst day, on a real chain. Posts are recorded, plans are paid for, the posting tables are
// backed up and the database is destroyed. After the restore everything must be as before.
import { killAllProcesses } from '../shared/appProcess.ts'
import { parseOptions, runScenarios, runSuite } from '../shared/suite.ts'
import { destroyAndRestore } from './destroyAndRestore.ts'

const options = parseOptions({ only: '' })
const start = async () => ({ stop: killAllProcesses })
await runSuite(options, start, (world) => runScenarios('restore', world, { restore: destroyAndRestore }, options.only))
