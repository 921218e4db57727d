import * as z from 'zod'
import { count } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { sessionHeader } from './sessions.ts'

export const exportData = defineCall('exportData', {
  summary: 'Show everything that this service stores about the wallet of the session.',
  description:
    'In pages: pass `next` as `after` until it is null. Bytes are hex; messages and keys stay encrypted. What only a secret would add is left out: hashes of tokens, and contact data, which `GET /notify/v1/subscriptions` shows.',
  tag: 'work',
  headers: sessionHeader,
  input: z.object({
    after: z
      .string()
      .regex(/^\d{1,2}\.\d{1,9}$/, 'must be `next` of this list')
      .optional()
      .describe('`next` of the page before; omit it to start.'),
  }),
  output: z.object({
    rows: z
      .array(
        z.object({
          table: z.string().describe('What it is: the name of the table.'),
          row: z.record(z.string(), z.unknown()).describe('The row.'),
        }),
      )
      .describe('At most 20.'),
    next: z.nullable(z.string()).describe('For the next page; null at the end.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const deleteData = defineCall('deleteData', {
  summary: 'Delete what this service stores about the wallet of the session.',
  description:
    'Sessions, mailbox, key backup and block list, or inbox, channels, searches and calendar, are gone at once, and all sessions end. What a running task or another wallet needs stays, with the reason. A profile is removed by its own route, because that is signed.',
  tag: 'work',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({
    removed: count.describe('Rows that were removed.'),
    kept: z
      .array(
        z.object({
          table: z.string().describe('What it is: the name of the table.'),
          rows: count.describe('How many.'),
          reason: z.string().describe('Why, and for how long.'),
        }),
      )
      .describe('What stays.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})
