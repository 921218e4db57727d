import { accounts } from '@svc/devnet'
import { apiRoutes, describeInputFields } from '@svc/operations'
import { markets } from '@svc/protocol'
import { parse } from 'yaml'
import { proven, type Statement } from './statement.ts'

const { address } = accounts.ada

/** Section 4: what holds for every endpoint. */
const common = proven(4, [
  [
    'every GET route 200',
    'CORS allows * on GET routes; read routes need no key',
    async ({ send, expect }) => {
      for (const route of apiRoutes.filter((each) => each.method === 'get')) {
        const { status, headers } = await send(
          `${route.path}?address=${address}&id=v2:standard:1&ids=v2:standard:1&tier=basic`,
          {
            headers: { origin: 'https://elsewhere.example' },
          },
        )
        expect(status, route.path).toBe(200)
        expect(headers.get('access-control-allow-origin'), route.path).toBe('*')
        expect(headers.get('access-control-allow-credentials'), route.path).toBeNull()
      }
    },
  ],
  [
    'GET /openapi.yaml 200',
    'A machine-readable OpenAPI 3.1 contract is served at /openapi.yaml',
    async ({ send, expect }) => {
      const { status, body } = await send('/openapi.yaml')
      const contract = parse(body)
      expect(status).toBe(200)
      expect(contract.openapi).toMatch(/^3\.1\./)
      expect(Object.keys(contract.paths).sort()).toEqual(apiRoutes.map(({ path }) => path).sort())
    },
  ],
])

/** Section 4: the read routes. */
const reads = proven(4, [
  [
    'GET /api/market/open 200',
    'limit is an integer from 1 to 100',
    async ({ client, expect }) => {
      const { body: all } = await client.listOpenTasks({ market: 'micro' })
      const { body: two } = await client.listOpenTasks({ market: 'micro', limit: 2 })
      expect(two.tasks).toEqual(all.tasks.slice(0, 2))
      expect((await client.listOpenTasks({ limit: 100 })).body.tasks.length).toBeLessThanOrEqual(100)
    },
  ],
  [
    'GET /api/market/open 200',
    'tasks carry id, market, registryAddress, state and the three amounts; beside them is meta',
    async ({ client, expect }) => {
      const { body } = await client.listOpenTasks({})
      const fields = ['id', 'market', 'registryAddress', 'state', 'totalAmountTokWei', 'fundedTokWei', 'releasedTokWei']
      expect(body.tasks.length).toBeGreaterThan(0)
      for (const task of body.tasks) expect(Object.keys(task)).toEqual(expect.arrayContaining(fields))
      expect(Object.keys(body)).toEqual(['tasks', 'meta'])
    },
  ],
  [
    'GET /api/market/open 200',
    "The tasks are read from the market's registry on chain",
    async ({ client, world, expect }) => {
      for (const market of markets) {
        const [{ body }, direct] = await Promise.all([
          client.listOpenTasks({ market }),
          world.direct.listOpen(market, { limit: 100 }),
        ])
        expect(body.tasks.map(({ id }) => id)).toEqual(direct.tasks.map(({ number }) => `v2:${market}:${number}`))
      }
    },
  ],
  [
    'GET /api/market/recent 200',
    'Tasks of one market only, any state',
    async ({ client, world, expect }) => {
      for (const market of markets) {
        const { body } = await client.listRecentTasks({ market })
        const demoTasks = world.demoTasks.filter((task) => task.market === market)
        expect(body.tasks.map(({ id }) => id).sort()).toEqual(
          demoTasks.map(({ taskId }) => `v2:${market}:${taskId}`).sort(),
        )
        expect(new Set(body.tasks.map(({ state }) => state))).toEqual(
          new Set(demoTasks.map(({ scenario }) => scenario.expected.state)),
        )
      }
    },
  ],
  [
    'GET /api/market/task 200',
    'The task is asked for by id or by taskId',
    async ({ client, expect }) => {
      const [byId, byTaskId] = await Promise.all([
        client.getTask({ id: 'v2:micro:1' }),
        client.getTask({ taskId: 'v2:micro:1' }),
      ])
      expect(byId.body.task.id).toBe('v2:micro:1')
      expect(byTaskId.body).toEqual(byId.body)
    },
  ],
  [
    'GET /api/market/task 400',
    'The id is strictly v2:standard:<N> or v2:micro:<N>, and required',
    async ({ send, expect }) => {
      const bad = [
        '',
        '1',
        'v1:micro:1',
        'v2:big:1',
        'v2:micro:01',
        'v2:micro:0',
        'v2:micro:1 ',
        'V2:micro:1',
        'v2:micro:-1',
      ]
      for (const id of bad) {
        expect(await send(`/api/market/task?id=${encodeURIComponent(id)}`), id).toMatchObject({
          status: 400,
          body: { code: 'INVALID_TASK_ID' },
        })
      }
      expect(await send('/api/market/task')).toMatchObject({ status: 400, body: { code: 'INVALID_TASK_ID' } })
    },
  ],
  [
    'GET /api/market/task 400',
    'A market that is given must match the namespace of the id',
    async ({ client, send, expect }) => {
      expect(await send('/api/market/task?id=v2:micro:1&market=standard')).toMatchObject({
        status: 400,
        body: { code: 'INVALID_MARKET' },
      })
      const { body } = await client.getTask({ id: 'v2:micro:1', market: 'micro' })
      expect(body.task.market).toBe('micro')
    },
  ],
  [
    'GET /api/market/task 404',
    'Missing task: 404 with {error}',
    async ({ send, expect }) => {
      for (const id of ['v2:standard:99999', `v2:micro:${2n ** 256n - 1n}`]) {
        expect(await send(`/api/market/task?id=${id}`)).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } })
      }
    },
  ],
  [
    'GET /api/get-market-ledger 400',
    'address is required',
    async ({ send, expect }) => {
      expect(await send('/api/get-market-ledger')).toMatchObject({ status: 400, body: { code: 'INVALID_ADDRESS' } })
    },
  ],
  [
    'GET /api/poster/tasks 400',
    'address is required',
    async ({ send, expect }) => {
      expect(await send('/api/poster/tasks')).toMatchObject({ status: 400, body: { code: 'INVALID_ADDRESS' } })
    },
  ],
  [
    'GET /api/poster/tasks 200',
    'tasks is an array of records, with worker and settlementDigest where assigned',
    async ({ client, world, expect }) => {
      for (const market of markets) {
        const [{ body }, direct] = await Promise.all([
          client.listTasksByPoster({ address, market }),
          world.direct.listByPoster(market, address, { limit: 100 }),
        ])
        expect(direct.tasks.some(({ worker }) => worker)).toBe(true)
        expect(
          body.tasks.map(({ id, poster, worker, settlementDigest }) => [id, poster, worker, settlementDigest]),
        ).toEqual(
          direct.tasks.map((task) => [
            `v2:${market}:${task.number}`,
            address,
            task.worker ?? undefined,
            task.worker ? task.settlementDigest : undefined,
          ]),
        )
      }
    },
  ],
])

const withMarket = apiRoutes.filter(({ operation }) => 'market' in describeInputFields(operation))

/** Section 4: `market` on every route that takes it. */
const byMarket = proven(
  4,
  withMarket
    .filter((route) => route.method === 'get')
    .flatMap(({ path }) => {
      const id = path === '/api/market/task'
      const url = (market?: string) =>
        `${path}?address=${address}&tier=basic${market ? `&market=${market}` : ''}${id ? `&id=v2:${market ?? 'standard'}:1` : ''}`
      return [
        [
          `GET ${path} 200`,
          'market is standard (default) or micro',
          async ({ send, expect }) => {
            const [preset, standard, micro] = await Promise.all(
              [undefined, 'standard', 'micro'].map((each) => send(url(each))),
            )
            expect([preset?.status, standard?.status, micro?.status]).toEqual([200, 200, 200])
            expect(standard?.body).toEqual(preset?.body)
            // A price may be the same in both markets.
            if (!path.endsWith('tok-preview')) expect(micro?.body).not.toEqual(preset?.body)
          },
        ],
        [
          `GET ${path} 400`,
          'market is nothing else',
          async ({ send, expect }) => {
            for (const market of ['', 'Standard', 'big', 'standard,micro', '__proto__']) {
              const reply = await send(`${path}?address=${address}&tier=basic&id=v2:standard:1&market=${market}`)
              expect(reply, market).toMatchObject({ status: 400, body: { code: 'INVALID_MARKET' } })
            }
          },
        ],
      ] as const
    }) as Parameters<typeof proven>[1],
)

export const endpoints: readonly Statement[] = [...common, ...reads, ...byMarket]
