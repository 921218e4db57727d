import { searchCursor, searchFilters } from '@svc/operations'
import { z } from 'zod'
import { listLimit, market } from './fields.ts'

const { q, tags, minPayTokWei, maxPayTokWei, funded, claimPolicy, status, closesAfter, closesBefore } = searchFilters
const { minPosterScore, sort } = searchFilters

/**
 * The input of a search by a tool or a command: the filters of the API, with fewer words, because tool definitions take room in
 * every conversation. `words` is the `q` of the API; beginnings of words are for people who type in a search box.
 */
export const searchInput = z.strictObject({
  market,
  words: q.describe('Words in title, tags or criteria.'),
  tags: tags.describe('Separated by commas.'),
  minPayTokWei: minPayTokWei.describe('Least pay.'),
  maxPayTokWei: maxPayTokWei.describe('Most pay.'),
  funded: funded.describe('Whole pay in escrow.'),
  claimPolicy: claimPolicy.describe('Who may claim.'),
  status: status.describe('`waiting`: also those whose claims have closed.'),
  closesAfter: closesAfter.describe('Claims close then or later, in unix seconds.'),
  closesBefore: closesBefore.describe('Claims close by then, in unix seconds.'),
  minPosterScore: minPosterScore.describe("Poster's least score."),
  sort: sort.describe('Order.'),
  limit: listLimit,
  cursor: searchCursor.describe('`meta.nextCursor` of the previous page.'),
} satisfies Record<
  Exclude<keyof typeof searchFilters, 'q' | 'prefix'> | 'market' | 'words' | 'limit' | 'cursor',
  z.ZodType
>)

export type TaskSearch = z.output<typeof searchInput>
