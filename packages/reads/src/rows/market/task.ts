import type { Market } from '@svc/protocol'
import { metaJson, taskDetailJson, taskDetailJsonOf } from '@svc/protocol/http'
import { givenMarket, HttpError, minBlock, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { defineRead } from '../../read.ts'

const id = z.string().max(120).optional().describe('The task, strictly v2:standard:<N> or v2:micro:<N>.')

interface Given {
  id?: string | undefined
  taskId?: string | undefined
  market?: Market | undefined
}

const wanted = ({ id, taskId, market }: Given) => taskIdOf(id ?? taskId, market)

/** GET /api/market/task: one task with all that is known of it. */
export const task = defineRead({
  path: '/api/market/task',
  summary: 'Show one task: terms, money, deadlines, dispute, timeline, and what can happen next.',
  tag: 'market',
  query: {
    id,
    taskId: id.describe('The same as `id`.'),
    market: givenMarket,
    minBlock,
  },
  answer: z.object({ task: taskDetailJson, meta: metaJson }),
  errors: { 400: ['INVALID_TASK_ID', 'INVALID_MARKET'], 404: ['TASK_NOT_FOUND'] },
  timed: true,
  marketOf: (query) => wanted(query).market,
  async read(query, reader, { markets }) {
    const { market, number } = wanted(query)
    const { detail, block } = await reader.getTask(market, number)
    if (!detail) throw new HttpError(404, 'TASK_NOT_FOUND', `Task v2:${market}:${number} is not found.`)
    const { taskRegistry } = markets[market]
    return { body: { task: taskDetailJsonOf(detail, market, taskRegistry, block.timestamp) }, block }
  },
})
