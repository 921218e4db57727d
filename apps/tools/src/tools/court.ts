import { z } from 'zod'
import { formatCase, formatCourt } from '../court.ts'
import { buildMeta, market } from '../fields.ts'
import { defineTool } from '../tool.ts'

/** As many as an agent can read. */
const maxCases = 20

export const listCourtCases = defineTool({
  name: 'svc_list_court_cases',
  title: 'Court cases',
  description: 'Cases of the final court, most urgent first.',
  input: z.strictObject({ market }),
  output: z.looseObject({}),
  async run({ market }, deps) {
    const desk = await deps.readCourt(market)
    return {
      court: formatCourt(desk, market),
      cases: desk.cases.slice(0, maxCases).map((each) => formatCase(each, market)),
      total: desk.cases.length,
      truncated: desk.truncated,
      meta: buildMeta(desk.block),
    }
  },
})
