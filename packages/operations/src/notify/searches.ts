import * as z from 'zod'
import { addressText, moment } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { sessionHeader } from '../store/sessions.ts'

/** A wallet's saved searches. */
export const maxSearches = 10

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}]*$/u, 'must be plain text on one line')

export const listSearches = defineCall('listSearches', {
  summary: 'List the saved searches of a wallet.',
  description: 'A new task that one of them finds is a notification of the kind `search-matched`.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({
    wallet: addressText.describe('Wallet of the session.'),
    searches: z
      .array(
        z
          .object({
            id: z.string().describe('Id of the saved search.'),
            name: z.string().describe('Name that the wallet gave it.'),
            search: z.string().describe('The query of the search, as in its URL.'),
            createdAt: moment.describe('When it was saved, in unix seconds.'),
          })
          .describe('A saved search.'),
      )
      .describe('Oldest first.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const saveSearch = defineCall('saveSearch', {
  summary: 'Save a search, to hear of new tasks that it finds.',
  description: `A task is compared when it is posted. A wallet saves at most ${maxSearches} searches and hears of at most 50 tasks a day. Which channels it hears over is the choice of each subscription.`,
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({
    name: name.describe('A name for it, on one line.'),
    search: z
      .string()
      .max(1_000)
      .describe(
        'The query of `GET /api/market/search`, as in its URL: `market=micro&q=logo&tags=design`. `status`, `sort`, `limit` and `cursor` do not matter.',
      ),
  }),
  output: z.object({ id: z.string().describe('Id of the saved search.') }),
  errors: ['SESSION_REQUIRED', 'TOO_MANY_SEARCHES', 'WORK_QUOTA_REACHED', 'DATABASE_UNREACHABLE'],
})

export const removeSearch = defineCall('removeSearch', {
  summary: 'Delete a saved search.',
  description: 'What it found before stays in the inbox.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'must be the id of a saved search')
      .describe('Id of the saved search.'),
  }),
  output: z.object({ removed: z.boolean().describe('False if the wallet has no such search.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})
