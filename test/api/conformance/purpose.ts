import { apiRoutes } from '@svc/operations'
import { markets } from '@svc/protocol'
import { elsewhere, proven, type Statement } from './statement.ts'

/** Section 1: what the service does. */
export const purpose: readonly Statement[] = [
  ...proven(1, [
    [
      'GET /api/site-config 200',
      'The chain id is 8453',
      async ({ client, world, expect }) => {
        const { body } = await client.getSiteConfig({})
        expect(body.chainId).toBe(8453)
        expect(await world.devnet.client.getChainId()).toBe(body.chainId)
      },
    ],
    [
      'GET /api/market/recent 200',
      'The two markets are independent; their lists are never merged',
      async ({ client, expect }) => {
        const lists = await Promise.all(markets.map((market) => client.listRecentTasks({ market })))
        for (const [index, { body }] of lists.entries()) {
          expect(body.tasks.length).toBeGreaterThan(0)
          for (const task of body.tasks) {
            expect(task.id.startsWith(`v2:${markets[index]}:`)).toBe(true)
            expect(task.registryAddress).toBe(body.tasks[0]?.registryAddress)
          }
        }
        expect(lists[0]?.body.tasks[0]?.registryAddress).not.toBe(lists[1]?.body.tasks[0]?.registryAddress)
      },
    ],
    [
      'every route',
      'The HTTP API is read-only, but for the posting quota and the chat: it cannot post, claim or pay',
      async ({ expect }) => {
        const writes = apiRoutes.filter((route) => route.method !== 'get').map(({ path }) => path)
        // Preparing is a read with an input that is too large for a URL.
        const allowed = ['/api/posting/check', '/api/posting/record', '/api/posting/upgrade', '/api/role-chat']
        allowed.push('/api/actions/prepare')
        expect(allowed).toEqual(expect.arrayContaining(writes))
      },
    ],
  ]),
  ...elsewhere(1, [
    [
      'Operations of the lifecycle are executed on contracts',
      'test/protocol/actions.test.ts',
      'leaves the state, the balances, the clock and the event that its row promises',
    ],
    [
      'Negotiation uses signed, hash-chained envelopes',
      'packages/protocol/src/negotiation/chains.test.ts',
      'random negotiations fold, and none with anything changed does',
    ],
  ]),
]
