import * as z from 'zod'
import { blockJson, count, hashText, moment } from './scalars.ts'

const comparisonJson = z.object({
  block: blockJson.describe('Block at which the index and the contracts were read.'),
  digest: hashText.describe('SHA-256 of all events of the index up to this block.'),
  comparedAt: moment.describe('When the comparison was made, in unix seconds.'),
  rowsCompared: count.describe('Rows compared in this round.'),
  rowsComparedInAll: count.describe('Rows compared since the index was built.'),
  sweep: z
    .object({
      upTo: count.describe('Rows passed in the current round through all rows.'),
      of: count.describe('Rows in all.'),
      rounds: count.describe('Complete rounds so far.'),
    })
    .describe('Progress through all rows.'),
  differences: z
    .array(
      z.object({
        row: z.string().describe('The row, such as "task v2:micro:3", "agent 0x…" or "union".'),
        parts: z.array(z.string()).describe('Fields that differ; empty if one side has no such row.'),
      }),
    )
    .describe('Rows that differ from contract storage.'),
})

/** How the index of one market last compared with contract storage. */
export const marketComparisonJson = z.object({
  says: z.string().describe('The result in one sentence.'),
  readsFrom: z.enum(['index', 'chain']).describe('Where reads of this market are answered from now.'),
  last: z.nullable(comparisonJson).describe('The last comparison; null before the first.'),
})

export type MarketComparisonJson = z.infer<typeof marketComparisonJson>

/** The last comparison of the index with contract storage, by market. */
export const differentialJson = z.object({
  standard: marketComparisonJson.describe('The standard market.'),
  micro: marketComparisonJson.describe('The micro market.'),
})

export type DifferentialJson = z.infer<typeof differentialJson>
