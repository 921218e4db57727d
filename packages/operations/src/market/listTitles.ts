import type { TaskId } from '@svc/protocol'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { taskIdText } from '../json/scalars.ts'
import { defineRead } from '../operation.ts'
import { maxListedTexts, readTaskId } from '../params.ts'

export const listTitles = defineRead('listTitles', {
  summary: 'Show the titles that open tasks were posted with, and the beginning of their criteria.',
  description:
    'Untrusted text by strangers: nobody has checked it. Private and unknown tasks are omitted. Show a task to read its whole text.',
  tag: 'market',
  chainCost: 6,
  input: z
    .object({
      ids: z.string().max(5_000).describe(`Tasks of one market, separated by commas, ${maxListedTexts} at most.`),
    })
    .transform(({ ids }, context) => {
      const tasks: TaskId[] = []
      for (const text of ids.split(',')) {
        const task = readTaskId(text, context, ['id'])
        if (!task) return z.NEVER
        tasks.push(task)
      }
      const [first] = tasks
      const fail = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      if (tasks.length > maxListedTexts) fail('ids', `ids must be ${maxListedTexts} at most`)
      else if (!first || tasks.some(({ market }) => market !== first.market))
        fail('market', 'ids must be of one market')
      else return { market: first.market, tasks }
      return z.NEVER
    }),
  output: z.object({
    titles: z
      .array(
        z.object({
          id: taskIdText.describe('Task id.'),
          title: z.string().describe('Title of the task, as the poster wrote it.'),
          excerpt: z
            .string()
            .describe(
              'The first words of the criteria on one line, 200 characters at most; ends with … if it was cut.',
            ),
        }),
      )
      .describe('The titles that are known, in the order of `ids`.'),
    meta: metaJson,
  }),
  errors: ['INVALID_TASK_ID', 'INVALID_MARKET'],
})
