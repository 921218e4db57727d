import { taskDetailJsonOf } from '@svc/protocol/http'
import { givenMarket, HttpError, minBlock, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { defineRead } from '../route.ts'

/** GET /v1/tasks/:id: one task with all that is known of it. */
export const task = defineRead({
  path: '/v1/tasks/:id',
  query: { id: z.string().max(120), market: givenMarket, minBlock },
  marketOf: ({ id, market }) => taskIdOf(id, market).market,
  async read({ id }, { reader, places }) {
    const { market, number } = taskIdOf(id, undefined)
    const { detail, block } = await reader.getTask(market, number)
    if (!detail) throw new HttpError(404, 'TASK_NOT_FOUND', `Task v2:${market}:${number} is not found.`)
    const { taskRegistry } = places.markets[market]
    return { body: { task: taskDetailJsonOf(detail, market, taskRegistry, block.timestamp) }, block }
  },
})
