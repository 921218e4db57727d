import { formatTaskId, marketParams, phaseOf } from '@svc/protocol'
import { nextSteps, type Standing } from '@svc/protocol/actions'
import { stepsJsonOf } from '@svc/protocol/http'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { bringOf } from '../bring.ts'
import { meta, metaOf, taskId, timeFields, wallet } from '../fields.ts'
import { prepareCommand } from '../prepareCommand.ts'
import { unknownTask } from '../taskAnswer.ts'
import { defineTool } from '../tool.ts'

/** By state and money alone: not a word of the task's text is looked at. */
export const taskNextSteps = defineTool({
  name: 'svc_task_next_steps',
  title: 'What to do next',
  description:
    'What a wallet may do with a task now, by its state on chain: until when, at what cost, what to bring, and the command that prepares it. others: what the poster and the worker may do.',
  input: z.strictObject({ id: taskId, wallet }),
  output: z.looseObject({
    role: z.string(),
    steps: z.array(z.looseObject({ action: z.string(), command: z.string() })),
    others: z.array(z.looseObject({})),
    meta,
  }),
  async run({ id, wallet }, deps) {
    const { standing, block } = await deps.readStanding(id, wallet)
    if (!standing) throw unknownTask(id)
    const now = block.timestamp
    const { task } = standing
    const who = roleOf(standing, wallet)
    const given = { taskId: formatTaskId(id), from: wallet }
    return {
      taskId: formatTaskId(id),
      wallet,
      role: who,
      state: task.state,
      phase: phaseOf(task, marketParams[id.market], now) ?? 'SETTLED',
      steps: stepsJsonOf(standing, wallet, now).map(({ needs, until, ...step }) => ({
        ...step,
        who,
        ...timeFields('until', until),
        bring: needs.map(bringOf),
        command: prepareCommand(step.action, given, needs),
      })),
      others: othersOf(standing, wallet, now),
      meta: metaOf(id.market, block),
    }
  },
})

/** What the parties may do, besides the wallet that asks. */
function othersOf(standing: Standing, wallet: Address, now: number) {
  return (['poster', 'worker'] as const).flatMap((by) => {
    const party = standing.task[by] as Address | null
    if (!party || isAddressEqual(party, wallet)) return []
    return nextSteps(standing, party, now).map(({ action, until }) => ({
      action: action.name,
      by,
      ...timeFields('until', until),
    }))
  })
}

function roleOf({ task, dispute }: Standing, wallet: Address): string {
  const is = (party: string | null) => party !== null && isAddressEqual(party as Address, wallet)
  if (is(task.poster)) return 'poster'
  if (is(task.worker)) return 'worker'
  return dispute?.panel.some(({ arbitrator }) => is(arbitrator)) ? 'arbitrator' : 'stranger'
}
