import { accounts } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { elsewhere, proven, type Statement } from './statement.ts'

/** Section 3: states and transitions. */
export const states: readonly Statement[] = [
  ...proven(3, [
    [
      'GET /api/market/open 200',
      'POSTED is claimable: the open route lists only tasks in this state',
      async ({ client, world, expect }) => {
        for (const market of markets) {
          const { body } = await client.listOpenTasks({ market })
          const demoTasks = world.demoTasks.filter(
            (task) => task.market === market && task.scenario.expected.state === 'POSTED',
          )
          expect(body.tasks.map(({ id }) => id).sort()).toEqual(
            demoTasks.map(({ taskId }) => `v2:${market}:${taskId}`).sort(),
          )
          for (const { state } of body.tasks) expect(state).toBe('POSTED')
        }
      },
    ],
    [
      'GET /api/poster/tasks 200',
      'ACTIVE: a task in this state is listed with a worker and a settlement digest',
      async ({ client, expect }) => {
        const posters = [accounts.ada, accounts.bruno, accounts.chiara, accounts.devi]
        const lists = await Promise.all(posters.map(({ address }) => client.listTasksByPoster({ address })))
        const active = lists.flatMap(({ body }) => body.tasks).filter(({ state }) => state === 'ACTIVE')
        expect(active.length).toBeGreaterThan(0)
        for (const { worker, settlementDigest } of active) {
          expect(worker).toMatch(/^0x[0-9a-fA-F]{40}$/)
          expect(settlementDigest).toMatch(/^0x[0-9a-f]{64}$/)
        }
      },
    ],
  ]),
  ...elsewhere(3, [
    [
      'Operations go in the order post, claim, fund, activate, markDelivered, release or complete; dispute, leave, dismiss',
      'packages/devnet/src/world.test.ts',
      'every scenario ends in its expected state',
    ],
  ]),
]
