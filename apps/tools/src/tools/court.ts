import { z } from 'zod'
import { courtBatchInput, formatCase, formatCourt } from '../court.ts'
import { buildMeta, listLimit, market, meta } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const listCourtCases = defineTool({
  name: 'svc_list_court_cases',
  title: 'List the cases of the final court',
  description:
    'Cases that wait for the final court of a market, read from the chain: what closes within a day first, then the largest sum. Says what kind of court it is: a Safe, or one that asks the public at Reality.eth. With decisions it also returns the file with which the owners of a Safe decide; nothing is signed or sent, and a decision about other numbers than the listed ones is refused.',
  input: z.strictObject({
    market,
    limit: listLimit,
    decisions: z
      .array(
        z.strictObject({
          taskId: z.string().describe('Task id.'),
          case: z.int().min(1).describe('Which dispute of the task.'),
          offerBps: z.int().describe('The share that the poster offers.'),
          askBps: z.int().describe('The share that the worker asks for.'),
          forWorker: z.boolean().describe("True for the worker's share, false for the poster's."),
          reasonHash: z.string().describe('Hash of the reasons.'),
        }),
      )
      .optional()
      .describe('What the people of the court decided, to get the file for their Safe.'),
  }),
  output: z.looseObject({
    court: z.looseObject({}).describe('Kind and address of the court, and who must sign or how it is asked.'),
    cases: z.array(z.looseObject({})).describe('The cases in the order in which to work on them.'),
    total: z.number().describe('How many there are.'),
    truncated: z.boolean().describe('True if the oldest tasks were not looked at.'),
    batch: z
      .nullable(z.looseObject({}))
      .describe("The decisions as a file for the Safe's transaction builder; null without decisions."),
    meta,
  }),
  async run({ market, limit, decisions }, deps) {
    const batch = decisions && (await deps.court.prepareBatch(courtBatchInput.parse({ market, decisions })))
    const desk = await deps.court.read(market)
    return {
      court: formatCourt(desk, market),
      cases: desk.cases.slice(0, limit).map((each) => formatCase(each, market)),
      total: desk.cases.length,
      truncated: desk.truncated,
      batch: batch ? { ...batch } : null,
      meta: buildMeta(desk.block),
    }
  },
})
