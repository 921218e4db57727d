import { formatTaskId, parseTaskId } from '@svc/protocol'
import { proven, type Statement } from './statement.ts'

const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const missing = 'v2:standard:99999'

/** Our additions to the specification: what a wallet may do, and the calls for it. */
export const actions: readonly Statement[] = proven(4, [
  [
    'GET /api/actions/steps 404',
    'Ours: the steps of a task that is not there',
    async ({ send, expect }) => {
      const reply = await send(`/api/actions/steps?id=${missing}&address=${wallet}`)
      expect(reply).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
    },
  ],
  [
    'GET /api/actions/steps 200',
    'Ours: what is listed for a wallet goes through when it is prepared',
    async ({ client, expect }) => {
      const { body } = await client.listOpenTasks({ limit: 5 })
      let tried = 0
      for (const { id, poster } of body.tasks) {
        const { body: found } = await client.listSteps({ id: formatTaskId(parseTaskId(id)), address: poster })
        for (const { action, derived, required } of found.steps) {
          if (required.length > 0) continue
          const prepared = await client.prepareAction({ action, input: derived, from: poster } as never)
          expect(prepared.body.simulation.status, `${action} ${id}`).toBe('succeeds')
          tried++
        }
      }
      expect(tried).toBeGreaterThan(0)
    },
  ],
  [
    'POST /api/actions/prepare 404',
    'Ours: an action on a task that is not there',
    async ({ post, expect }) => {
      const reply = await post('/api/actions/prepare', {
        action: 'cancel-task',
        input: { taskId: missing },
        from: wallet,
      })
      expect(reply).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
    },
  ],
  [
    'POST /api/actions/prepare 400',
    'Ours: an input that cannot be read is named',
    async ({ post, expect }) => {
      const reply = await post('/api/actions/prepare', {
        action: 'top-up',
        input: { market: 'micro', amountUsdc: 'ten' },
        from: wallet,
      })
      expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining('input.amountUsdc') } })
    },
  ],
])
