import { z } from 'zod'
import { wallet } from '../fields.ts'
import { answerList, listInput, listOutput } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const listTasksByWorker = defineTool({
  name: 'svc_list_tasks_by_worker',
  title: 'List tasks by worker',
  description: 'Tasks whose worker a wallet is, newest first.',
  input: z.strictObject({ address: wallet, ...listInput }),
  output: listOutput,
  run: (input, deps) => answerList(input, deps, (page) => deps.reader.listByWorker(input.market, input.address, page)),
})
