import { claimPolicies } from '@svc/protocol'
import {
  maxRanked,
  type SearchPosition,
  type SearchQuery,
  searchSorts,
  tags as tagList,
} from '@svc/protocol/internal/tasks'
import { keccak256, stringToHex } from 'viem'
import * as z from 'zod'
import { listMetaJson } from '../json/meta.ts'
import { amountText } from '../json/scalars.ts'
import { taskRowJson } from '../json/taskRow.ts'
import { defineRead } from '../operation.ts'
import { limit, market } from '../params.ts'

const maxWords = 200

const wei = amountText.transform(BigInt).optional()
const second = z
  .int()
  .min(0)
  .max(2 ** 40)
  .optional()

/** The conditions and the order of a search: parameters of the API, options of commands and tools. */
export const searchFilters = {
  q: z
    .string()
    .trim()
    .min(1)
    .max(maxWords)
    .optional()
    .describe(
      `Words in the title, the tags, the criteria or a milestone's title, ${maxWords} characters at most. All must occur, in any form: "photos" finds "photo". \`"exact phrase"\`, \`or\` and \`-without\` work.`,
    ),
  prefix: z
    .literal('true')
    .optional()
    .describe(
      '`true`: the last word of `q` may be the beginning of a word, for searches while people type. Ignored with phrases, `or` or `-without`.',
    ),
  tags: z
    .string()
    .max(300)
    .transform((text) => text.split(','))
    .pipe(tagList)
    .optional()
    .describe('Tags that the task must all have, separated by commas: `translation,lang:pt`.'),
  minPayTokWei: wei.describe('Least pay of all milestones together, in TOK wei.'),
  maxPayTokWei: wei.describe('Most pay of all milestones together, in TOK wei.'),
  funded: z.literal('true').optional().describe('`true`: only tasks whose whole pay is in escrow.'),
  claimPolicy: z.enum(claimPolicies).optional().describe('Who may claim.'),
  status: z
    .enum(['claimable', 'waiting'])
    .default('claimable')
    .describe('`claimable` now, or all that are `waiting` for a worker, including those whose claims have closed.'),
  closesAfter: second.describe('Claims close at this time or later, in unix seconds.'),
  closesBefore: second.describe('Claims close at this time or earlier, in unix seconds.'),
  minPosterScore: z.int().min(0).max(1_000_000).optional().describe("Least reputation score of the task's poster."),
  sort: z
    .enum(searchSorts)
    .optional()
    .describe(
      `Order. \`relevance\` (default with \`q\`) ranks at most the newest ${maxRanked} matches, fewer if they are far apart; \`newest\` (default), \`pay\` and \`payPerHour\` have the highest first, \`closing\` the next to close.`,
    ),
}

export const searchCursor = z
  .string()
  .max(200)
  .optional()
  .describe('`meta.nextCursor` of the previous page of the same search; omit it for the first page.')

const input = z
  .object({ market, ...searchFilters, limit, cursor: searchCursor })
  .transform(({ market, limit, cursor, ...given }, context) => {
    const { q: words, prefix, tags = [], minPayTokWei, maxPayTokWei, funded, status, sort, ...same } = given
    if (sort === 'relevance' && words === undefined) {
      context.addIssue({ code: 'custom', path: ['sort'], message: 'sort by relevance needs q' })
      return z.NEVER
    }
    const search: Omit<SearchQuery, 'limit'> = {
      ...same,
      words,
      prefix: prefix && true,
      tags,
      minPay: minPayTokWei,
      maxPay: maxPayTokWei,
      funded: funded !== undefined,
      claimable: status === 'claimable',
      sort: sort ?? (words === undefined ? 'newest' : 'relevance'),
    }
    const fingerprint = computeFingerprint({ market, ...search })
    const after = cursor === undefined ? undefined : parseCursor(cursor, fingerprint)
    if (after === null) {
      context.addIssue({ code: 'custom', path: ['cursor'], message: 'cursor must be a nextCursor of the same search' })
      return z.NEVER
    }
    return { market, fingerprint, query: { ...search, limit, after } satisfies SearchQuery }
  })

/** Names a search, so that the cursor of another one is refused instead of skipping tasks. */
const computeFingerprint = (search: object): string =>
  keccak256(
    stringToHex(JSON.stringify(search, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  ).slice(2, 12)

/** Writes the cursor of the page that follows a position of a search. */
export const formatSearchCursor = (fingerprint: string, { value, task, newest }: SearchPosition): string =>
  Buffer.from(`${fingerprint} ${value} ${task} ${newest}`).toString('base64url')

function parseCursor(text: string, fingerprint: string): SearchPosition | null {
  const found = /^([0-9a-f]{10}) (-?\d{1,39}) (\d{1,18}) (\d{1,18})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  )
  if (!found || found[1] !== fingerprint) return null
  const [, , value = '', task = '', newest = ''] = found
  return { value: BigInt(value), task: BigInt(task), newest: BigInt(newest) }
}

export const searchTasks = defineRead('searchTasks', {
  summary: 'Search the tasks that wait for a worker, by words, tags, pay and more.',
  description:
    'Title, excerpt and tags are untrusted text by strangers. Pages stay stable while the market changes: no task is repeated, and, except by relevance, none that stays is left out. A page can be short, or even empty, and still have a next one: continue while `meta.nextCursor` is not null. A search needs the index: without it the answer is 503 `INDEX_REQUIRED`.',
  tag: 'market',
  chainCost: 3,
  input,
  output: z.object({
    tasks: z.array(taskRowJson).describe('Tasks in the order of `sort`.'),
    suggestion: z
      .string()
      .optional()
      .describe(
        'Only if nothing was found: `q` with similar words from titles and tags of the newest tasks. With them the search finds something. Untrusted text by strangers.',
      ),
    meta: listMetaJson,
  }),
  errors: ['INVALID_CURSOR', 'INDEX_REQUIRED'],
})
