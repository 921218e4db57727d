// node chaos/service/main.ts [--only SCENE] [--counts FILE]: the real API as processes, with the index killed, the database
// cut off and killed, the chain cut off, and all replicas restarted under load. Needs nginx.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { both, startIndexer } from '../process/indexer.ts'
import { playScenes } from '../process/scenes.ts'
import { type Finding, setStage } from '../process/stage.ts'
import { cutDatabase, killDatabase, killIndex, loseChain } from './outages.ts'
import { restartAll } from './rolling.ts'

const { values } = parseArgs({
  options: {
    /** Where to leave how many scenes passed and failed. */
    counts: { type: 'string' },
    /** Plays only scenes whose name has this in it. */
    only: { type: 'string', default: '' },
  },
})
const stage = await setStage(1, 400)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stage.close().finally(() => process.exit(1)))
}

/** With an index that follows. */
const indexed = (play: () => Promise<Finding>) => async () => {
  await startIndexer(stage.env('a')).until('caught up', both('caught up'))
  return play()
}
const scenes: Record<string, () => Promise<Finding>> = {
  index: () => killIndex(stage),
  database: indexed(() => cutDatabase(stage)),
  'killed database': indexed(() => killDatabase(stage)),
  chain: () => loseChain(stage),
  rolling: indexed(() => restartAll(stage)),
}

const started = Date.now()
try {
  const { passed, failed } = await playScenes(scenes, values.only)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${passed + failed} scenes in ${seconds} s, ${failed} false; load ${loadavg()[0]?.toFixed(1)}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await stage.close()
}
process.exit()
