// pnpm chaos index [--seeds N] [--from SEED] [--trace]: random chains, reorganisations, faulty providers, kills and restarts.
// A seed is reproducible; --trace prints everything that happens.
import { startDatabases } from '../shared/databases.ts'
import { canonicalJson } from '../shared/findMismatch.ts'
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runSeed } from './seed.ts'

const options = parseOptions({ seeds: 50, from: 1, trace: false })
const print = options.trace ? { print: (line: string) => console.log(line) } : {}

await runSuite(options, startDatabases, ({ cluster: { restart }, use }) =>
  runEach(
    listSeeds(options).map((seed) => ({
      name: `seed ${seed}`,
      rerun: `pnpm chaos index --seeds 1 --from ${seed} --trace`,
      play: async () => {
        const report = await use(`seed_${seed}`, (url) => runSeed({ seed, url, restart, ...print }))
        const { seed: _, profile, digest, mismatch, halted, ...figures } = report
        const kinds = Object.entries(profile).flatMap(([name, holds]) => (holds ? [name] : []))
        const wrong = mismatch ?? halted
        return {
          figures,
          text: [...kinds, canonicalJson(figures), `trace ${digest}`].join(', '),
          faults: wrong ? [canonicalJson(wrong)] : [],
        }
      },
    })),
    // Far longer than any seed takes.
    { largest: ['deepest', 'rolledBack'], longestMs: 300_000 },
  ),
)
