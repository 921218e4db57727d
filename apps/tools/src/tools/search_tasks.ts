import { buildMeta } from '../fields.ts'
import { searchInput } from '../searchInput.ts'
import { formatUntrustedRow, listOutput } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const searchTasks = defineTool({
  name: 'svc_search_tasks',
  title: 'Search tasks',
  description: 'Search claimable tasks. The API selects them; all fields come from the chain.',
  // A task whose claims have closed is of no use to an agent, and every field takes room in each conversation.
  input: searchInput.omit({ status: true, closesAfter: true }),
  output: listOutput,
  async run(input, { findTasks, readTasks, readTexts }) {
    const { numbers, nextCursor } = await findTasks({ ...input, status: 'claimable' })
    const { tasks, block } = await readTasks(input.market, numbers)
    const texts = await readTexts(input.market, tasks)
    return {
      tasks: tasks.map((task) => formatUntrustedRow(task, input.market, block.timestamp, texts.get(task.number))),
      meta: { ...buildMeta(input.market, block), nextCursor },
    }
  },
})
