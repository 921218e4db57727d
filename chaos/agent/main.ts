// pnpm chaos agent [--kills N] [--seed SEED]: an agent and its signer work through tasks while one of them is killed in front of or behind
// any request and any write, and starts again, sometimes on an empty disk. No task is claimed or delivered twice, none is forgotten, and the
// session key sends nothing that reverts.
import { startDevStack } from '../../test/harness/devStack.ts'
import { parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runAgentKills } from './kills.ts'

const options = parseOptions({ kills: 100, seed: 1 })

await runSuite(options, startDevStack, (stack) =>
  runEach([
    {
      name: `seed ${options.seed}`,
      rerun: `pnpm chaos agent --kills ${options.kills} --seed ${options.seed}`,
      play: async () => {
        const { faults, ...figures } = await runAgentKills(stack, options)
        return { figures, faults }
      },
    },
  ]),
)
