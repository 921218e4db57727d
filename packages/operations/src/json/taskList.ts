import * as z from 'zod'
import { listMetaJson } from './meta.ts'
import { listedTaskJson } from './taskRow.ts'

/** A page of tasks of one market, newest first. */
export const taskListJson = z
  .object({
    tasks: z.array(listedTaskJson).describe('Tasks, newest first.'),
    meta: listMetaJson,
  })
  .describe('A page of tasks of one market.')
