import { buildMeta } from '../fields.ts'
import { searchInput } from '../searchInput.ts'
import { describeRows, listOutput } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const searchTasks = defineTool({
  name: 'svc_search_tasks',
  title: 'Search tasks',
  description: 'Search claimable tasks, as the chain has them.',
  // A task whose claims have closed is of no use to an agent, and every field takes room in each conversation.
  input: searchInput.omit({ status: true, closesAfter: true }),
  output: listOutput,
  async run(input, deps) {
    const { findTasks, readTasks } = deps
    const { numbers, nextCursor } = await findTasks({ ...input, status: 'claimable' })
    const { tasks, block } = await readTasks(input.market, numbers)
    return {
      tasks: await describeRows({ tasks, market: input.market, now: block.timestamp }, deps),
      meta: { ...buildMeta(block), nextCursor },
    }
  },
})
