import { formatTaskId, type Market, readText, type TaskId } from '@svc/protocol'
import { metaJson, taskIdText } from '@svc/protocol/http'
import { HttpError, minBlock, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { defineRead } from '../../read.ts'

const most = 50

const ids = z.string().max(5_000).describe(`Tasks of one market, separated by commas, ${most} at most.`)

/** The tasks that a list names. */
function tasksOf(list: string): readonly TaskId[] {
  const found = list.split(',').map((id) => taskIdOf(id, undefined))
  if (found.length > most) throw new HttpError(400, 'INVALID_REQUEST', `ids must be ${most} at most.`)
  if (new Set(found.map(({ market }) => market)).size > 1) {
    throw new HttpError(400, 'INVALID_MARKET', 'ids must be of one market.')
  }
  return found
}

const marketOf = (list: string): Market => tasksOf(list)[0]?.market ?? 'standard'

/** GET /api/market/texts: what posters wrote, for a page of tasks. */
export const texts = defineRead({
  path: '/api/market/texts',
  summary: 'Show the titles that open tasks were posted with.',
  description: 'Words of strangers, word for word: nobody has checked them. Private and unknown tasks are left out.',
  tag: 'market',
  query: { ids, minBlock },
  answer: z.object({ titles: z.array(z.object({ id: taskIdText, title: z.string() })), meta: metaJson }),
  errors: { 400: ['INVALID_TASK_ID', 'INVALID_MARKET'] },
  marketOf: (query) => marketOf(query.ids),
  async read({ ids: given }, reader) {
    const wanted = tasksOf(given)
    const { texts: found, block } = await reader.getTexts(
      marketOf(given),
      wanted.map(({ number }) => number),
    )
    const titles = wanted.flatMap((id) => {
      const text = found.get(id.number)
      return text === undefined ? [] : [{ id: formatTaskId(id), title: readText(text).title }]
    })
    return { body: { titles }, block }
  },
})
