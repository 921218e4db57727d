import * as z from 'zod'
import { listMetaJson } from './meta.ts'
import { taskJson } from './task.ts'

/** A page of tasks of one market, newest first. */
export const taskListJson = z
  .object({
    tasks: z.array(taskJson).describe('Tasks, newest first.'),
    meta: listMetaJson,
  })
  .describe('A page of tasks of one market.')
