import { accounts } from '@svc/devnet'
import { apiRoutes } from '@svc/operations'
import { markets } from '@svc/protocol'
import { parse } from 'yaml'
import { readApiEnv } from '../../../apps/api/src/env.ts'
import { elsewhere, proven, type Statement } from './statement.ts'

const { address } = accounts.ada
const paths = apiRoutes.filter((route) => route.method === 'get').map(({ path }) => path)

/** Section 5: authentication. */
const authentication: readonly Statement[] = [
  ...proven(5, [
    [
      'every GET route',
      'Read routes never return 401',
      async ({ send, expect }) => {
        const keys = ['Bearer x', 'Basic Og==', 'Bearer', 'Negotiate AAAA', '']
        for (const path of paths) {
          for (const authorization of keys) {
            const { status } = await send(`${path}?address=${address}`, {
              headers: { authorization, cookie: 'session=1' },
            })
            expect([200, 400], path).toContain(status)
          }
        }
      },
    ],
    [
      'GET /openapi.yaml 200',
      'No platform API key exists',
      async ({ send, expect }) => {
        const contract = parse((await send('/openapi.yaml')).body)
        expect(contract.security).toEqual([])
        expect(contract.components.securitySchemes).toBeUndefined()
      },
    ],
    [
      'GET /api/site-config 200',
      'CHAIN_RPC_URL may be keyed: it is never shown, and a public URL that looks keyed is refused',
      async ({ client, world, expect }) => {
        const { body } = await client.getSiteConfig({})
        expect(body.rpcUrl).not.toBe(world.devnet.rpcUrl)
        const keyed = 'https://rpc.example/v2/abcdefghijklmnopqrstuvwxyz012345'
        expect(() => readApiEnv({ SVC_PUBLIC_RPC_URL: keyed })).toThrow(/SVC_PUBLIC_RPC_URL: seems to contain a key/)
      },
    ],
  ]),
  ...elsewhere(5, [
    [
      'A failed wallet authorization on an onchain write appears as a revert',
      'test/protocol/actions.test.ts',
      'is refused in a wrong state and to a wrong caller, in words',
    ],
    [
      'The environment variables are those of the specification, and ours',
      'apps/api/src/env.test.ts',
      'the example has every variable, and the API starts with it',
    ],
  ]),
]

/** Section 6: events. */
const events: readonly Statement[] = [
  ...proven(6, [
    [
      'GET /api/market/events 200',
      'Task discovery reads TaskPosted logs from the chain',
      async ({ client, expect }) => {
        for (const market of markets) {
          const posted = new Set<string | null>()
          for (let cursor: string | null = '0:0'; cursor !== null; ) {
            const { body } = await client.listEvents({ market, cursor })
            for (const { event, taskId } of body.events) if (/^Task(Posted|Created)$/.test(event)) posted.add(taskId)
            cursor = body.events.length > 0 ? body.meta.nextCursor : null
          }
          const { body } = await client.listRecentTasks({ market })
          expect([...posted].sort()).toEqual(body.tasks.map(({ id }) => id).sort())
        }
      },
    ],
    [
      'GET /api/market/open 200',
      'Open tasks are discoverable; private tasks are not listed',
      async ({ client, expect }) => {
        for (const market of markets) {
          const { body } = await client.listOpenTasks({ market })
          for (const { scope } of body.tasks) expect(scope).toBe('OPEN')
        }
      },
    ],
  ]),
  ...elsewhere(6, [
    [
      'Each kind of message has its schema',
      'packages/protocol/src/negotiation/jsonSchemas.test.ts',
      'messages of every kind match the published schemas',
    ],
  ]),
]

/** Section 7: errors. */
const errors: readonly Statement[] = [
  ...proven(7, [
    [
      'GET /api/market/task 404',
      'The error says that the task is not found',
      async ({ send, expect }) => {
        const { status, body } = await send('/api/market/task?id=v2:micro:99999')
        expect(status).toBe(404)
        expect(body.error).toMatch(/v2:micro:99999 is not found/)
      },
    ],
    [
      'GET /api/get-market-ledger 400',
      'Without a wallet address: the error says that one is required',
      async ({ send, expect }) => {
        const { status, body } = await send('/api/get-market-ledger')
        expect(status).toBe(400)
        expect(body.error).toMatch(/wallet address is required/)
      },
    ],
  ]),
]

/** Section 8: limits. */
const limits: readonly Statement[] = [
  ...proven(8, [
    [
      'GET /api/market/open 400',
      'limit is 1 to 100',
      async ({ send, expect }) => {
        for (const limit of ['0', '101', '-1', '1.5', '1e2', ' 1', '', 'all', '٣', '0x10']) {
          const reply = await send(`/api/market/open?limit=${encodeURIComponent(limit)}`)
          expect(reply, limit).toMatchObject({ status: 400, body: { code: 'INVALID_LIMIT' } })
        }
      },
    ],
    [
      'GET /api/market/open 200',
      'limit is 100 unless given',
      async ({ send, expect }) => {
        const { body: contract } = await send('/openapi.yaml')
        const [{ schema }] = parse(contract).paths['/api/market/open'].get.parameters.filter(
          ({ name }: { name: string }) => name === 'limit',
        )
        expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 100 })
        const [preset, given] = await Promise.all([send('/api/market/open'), send('/api/market/open?limit=100')])
        expect(given.body).toEqual(preset.body)
      },
    ],
    [
      'environment',
      'The site server listens on 8080 unless SVC_SITE_PORT is set',
      async ({ expect }) => {
        const given = {
          CHAIN_RPC_URL: 'http://127.0.0.1:8545',
          SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
          SVC_DATABASE_URL: 'postgres://127.0.0.1/svc',
          SVC_DEPLOYMENTS: 'deployments.json',
        }
        expect(readApiEnv(given).SVC_SITE_PORT).toBe(8080)
        expect(readApiEnv({ ...given, SVC_SITE_PORT: '81' }).SVC_SITE_PORT).toBe(81)
      },
    ],
  ]),
  ...elsewhere(8, [
    [
      'Entry collateral USD 25, recommended USD 45, pause below USD 8, access fee 1,000 units',
      'packages/protocol/src/amounts.test.ts',
      'the parameters of a market are the fields of the contracts',
    ],
  ]),
]

/** Section 9: versioning. */
const versioning: readonly Statement[] = [
  ...proven(9, [
    [
      'every read route 200',
      'The protocol version is v2, reported in meta.protocolVersion',
      async ({ send, expect }) => {
        for (const { path } of apiRoutes.filter(({ operation }) => operation.kind === 'read')) {
          const { body } = await send(`${path}?address=${address}&id=v2:standard:1&ids=v2:standard:1`)
          expect(body.meta.protocolVersion, path).toBe('v2')
        }
      },
    ],
    [
      'GET /api/market/task 400',
      'The earlier shape (plain ids, count, escrowAmount) is not served',
      async ({ client, send, expect }) => {
        const { status, body } = await send('/api/market/task?id=1')
        expect(status).toBe(400)
        expect(body.hint).toMatch(/v2:standard:1/)
        expect(JSON.stringify((await client.listOpenTasks({})).body)).not.toMatch(/"(count|escrowAmount|budgetUsdc)"/)
      },
    ],
  ]),
  ...elsewhere(9, [
    [
      'Envelopes carry the fixed schemaVersion',
      'packages/protocol/src/negotiation/jsonSchemas.test.ts',
      'the envelope has the nine fields of the specification',
    ],
  ]),
]

export const rules: readonly Statement[] = [...authentication, ...events, ...errors, ...limits, ...versioning]
