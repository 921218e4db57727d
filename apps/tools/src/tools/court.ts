import { z } from 'zod'
import { formatCase, formatCourt } from '../court.ts'
import { buildMeta, listLimit, market, meta } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const listCourtCases = defineTool({
  name: 'svc_list_court_cases',
  title: 'List the cases of the final court',
  description:
    'What the final court is, and the cases that wait for it: first what closes within a day, then the largest sum. It decides with decide-dispute; a Safe signs the file of svc-prepare court-batch.',
  input: z.strictObject({ market, limit: listLimit }),
  output: z.looseObject({ cases: z.array(z.looseObject({})).describe('In the order in which to work on them.'), meta }),
  async run({ market, limit }, deps) {
    const desk = await deps.readCourt(market)
    return {
      court: formatCourt(desk, market),
      cases: desk.cases.slice(0, limit).map((each) => formatCase(each, market)),
      total: desk.cases.length,
      truncated: desk.truncated,
      meta: buildMeta(desk.block),
    }
  },
})
