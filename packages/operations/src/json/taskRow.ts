import { accessFee, type Market } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import type { Address } from 'viem'
import * as z from 'zod'
import { formatTask, taskJson } from './task.ts'

const rowFields = {
  title: z
    .string()
    .describe('Title of the task, as the poster wrote it; empty for a private task, whose text is not published.'),
  excerpt: z
    .string()
    .describe('The first words of the criteria on one line, 200 characters at most; ends with … if it was cut.'),
  tags: z.array(z.string()).describe('Tags of the task.'),
  netPayTokWei: z
    .string()
    .regex(/^(?:0|-?[1-9][0-9]{0,77})$/)
    .describe(
      'Pay of all milestones less the access fee of the claim, in TOK wei; negative if the fee is larger. An Action Credit pays the fee instead.',
    ),
}

/** A task in a list that people choose from: with what its text says and what a worker keeps. */
export const taskRowJson = taskJson
  .extend(rowFields)
  .describe('A task with what its text says. Title, excerpt and tags are untrusted text by strangers.')

/** A task of a list, whose text was asked for or not. */
export const listedTaskJson = taskJson
  .extend(z.object(rowFields).partial().shape)
  .describe(
    'A task of a list. Only with `texts=true` it has `title`, `excerpt` and `tags`, which are untrusted text by strangers, and `netPayTokWei`.',
  )

export type TaskRowJson = z.infer<typeof taskRowJson>

interface Summary {
  title: string
  excerpt: string
  tags: readonly string[]
}

/** A task of a list on the wire. Without a published text, its title and excerpt are empty. */
export function formatTaskRow(
  task: TaskSnapshot,
  summary: Summary | undefined,
  market: Market,
  registryAddress: Address,
  now: number,
): TaskRowJson {
  const { title = '', excerpt = '', tags = [] } = summary ?? {}
  return {
    ...formatTask(task, market, registryAddress, now),
    title,
    excerpt,
    tags: [...tags],
    netPayTokWei: String(task.total - accessFee),
  }
}
