// Sends a request without credentials to every route that a service mounts. What it mounts is recorded when it starts.
import { accounts } from '@svc/devnet'
import {
  apiRoutes,
  gatewayRoutes,
  notifyRoutes,
  paidEndpoints,
  paidRoutes,
  type Route,
  splitEndpoint,
  storeByteRoutes,
  storeRoutes,
} from '@svc/operations'
import { parseTaskId } from '@svc/protocol'
import { buildExampleRequest, type Example, probes, startHealthServer } from '@svc/serve'
import { SmartRouter } from 'hono/router/smart-router'
import { afterAll, expect, test, vi } from 'vitest'
import { listExamples } from '../../apps/api/src/contract/examples.ts'
import { listGatewayExamples } from '../../apps/gateway/src/contract/examples.ts'
import { navigation } from '../../apps/gateway/src/pages/layout.ts'
import { listNotifierExamples } from '../../apps/notifier/src/contract/examples.ts'
import { listStoreExamples } from '../../apps/store/src/contract/examples.ts'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { startBareService } from '../harness/bareService.ts'
import { startTestGateway } from '../harness/gateway.ts'
import { startTestNotifier } from '../notifier/notifierApp.ts'
import { startMailWorld } from '../store/mailWorld.ts'
import { makeBundle, makeReadingKey, signIn } from '../store/storeClient.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** What is asked of a service: its endpoints, with an example of each that has one, and values of path parameters. */
interface Walk {
  endpoints: readonly string[]
  routes: readonly Route[]
  listExamples: (route: Route) => readonly Example[]
  values?: Readonly<Record<string, string>>
}

test('only private routes answer 401 without credentials', async () => {
  const store = await record(startMailWorld)
  ends.push(() => store.stop())
  const notifier = await record(() => startTestNotifier({ databaseUrl: store.databaseUrl }))
  ends.push(() => notifier.stop())
  const discovery = {
    ...splitEndpoint(paidEndpoints.listOpenTasks),
    price: '$0',
    charge: async (_: unknown, next: () => Promise<void>) => next(),
  }
  const gateway = await record(() =>
    startTestGateway({ rpcUrl: 'http://127.0.0.1:1', deployments: fakeDeployments }, { discovery }),
  )
  ends.push(() => gateway.stop())
  const storeUrl = store.service.url
  const api = await record(() =>
    startBareService({ store: { url: storeUrl, address: accounts.store.address }, notifierUrl: notifier.url }),
  )
  ends.push(() => api.close(100))

  const pages = [...navigation.map(([path]) => `GET ${path}`), 'GET /approve/:id']
  const ofApi = { endpoints: api.endpoints, routes: apiRoutes, listExamples }
  const ofGateway = {
    endpoints: [...gateway.endpoints, ...pages],
    routes: [...gatewayRoutes, ...paidRoutes],
    listExamples: listGatewayExamples,
  }
  const ofStore = {
    endpoints: store.endpoints,
    routes: storeRoutes,
    listExamples: listStoreExamples,
    values: await deliver(store),
  }
  const ofNotifier = { endpoints: notifier.endpoints, routes: notifyRoutes, listExamples: listNotifierExamples }
  for (const { endpoints, routes } of [ofApi, ofGateway, ofStore, ofNotifier]) {
    expect(endpoints).toEqual(expect.arrayContaining(routes.map(formatEndpoint)))
  }

  for (const headers of [{}, { authorization: 'Bearer x' }]) {
    expect(await listRefused(api.url, ofApi, headers)).toEqual([])
    expect(await listRefused(gateway.url, ofGateway, headers)).toEqual([])
  }
  // The API passes on what is below /v1 of both.
  const isForEveryone = (endpoint: string) => endpoint === `GET ${storeByteRoutes.picture}`
  const bytes = Object.values(storeByteRoutes)
    .flatMap((path) => [`GET ${path}`, `PUT ${path}`])
    .filter((endpoint) => !isForEveryone(endpoint))
  for (const url of [storeUrl, `${api.url}/store`]) {
    expect(await listRefused(url, ofStore)).toEqual([...listPrivate(storeRoutes), ...bytes].sort())
  }
  for (const url of [notifier.url, api.url]) {
    expect(await listRefused(url, ofNotifier)).toEqual(listPrivate(notifyRoutes).sort())
  }
})

test('keeper, indexer, clerk and watcher answer their probes without credentials', async () => {
  const registry = { contentType: 'text/plain', metrics: async () => '' }
  const readiness = async () => ({ ready: true })
  const server = await startHealthServer({ port: 0, host: '127.0.0.1', readiness, registry })
  ends.push(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  for (const path of probes) expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
})

/** Starts a service and records the endpoints that it mounts. */
async function record<Started extends object>(
  start: () => Promise<Started>,
): Promise<Started & { endpoints: readonly string[] }> {
  const add = vi.spyOn(SmartRouter.prototype, 'add')
  try {
    const started = await start()
    // Middleware answers all methods. Paths with a wildcard are asked for by the names that they stand for.
    const routes = add.mock.calls.filter(([method, path]) => method !== 'ALL' && !path.endsWith('*'))
    return { ...started, endpoints: routes.map(([method, path]) => `${method} ${path}`) }
  } finally {
    add.mockRestore()
  }
}

/** Stores a delivery that only the parties of its task may read, and returns what the paths of its routes name. */
async function deliver({ service, context, setTask }: Awaited<ReturnType<typeof startMailWorld>>) {
  const { ada, emeka, store } = accounts
  const id = 'v2:micro:1'
  setTask(parseTaskId(id), ada.address, emeka.address)
  const { client } = await signIn(service.url, emeka, store.address)
  const { chainId, taskRegistry: registry } = context
  const about = { chainId, registry, taskId: parseTaskId(id), author: emeka.address }
  const { hash, ...bundle } = makeBundle(about, [100], [{ reader: ada.address, key: makeReadingKey() }])
  expect((await client.upload({ hash, ...bundle })).status).toBe(201)
  const [sha256 = ''] = bundle.parts.keys()
  return { id, hash, bundle: hash, sha256 }
}

/** Sends a request to each endpoint and lists those that answer 401. */
async function listRefused(url: string, walk: Walk, headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const answers = walk.endpoints.map(async (endpoint) => {
    const { method, path, body } = buildRequest(endpoint, walk)
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
    })
    await response.arrayBuffer()
    return response.status === 401 ? [endpoint] : []
  })
  return (await Promise.all(answers)).flat().sort()
}

/** Builds the request of an endpoint from its example, or else from its path alone. */
function buildRequest(endpoint: string, { routes, listExamples, values = {} }: Walk) {
  const [method = '', path = ''] = endpoint.split(' ')
  const route = routes.find((each) => formatEndpoint(each) === endpoint)
  if (!route) return { method, path: path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'), body: null }
  const inPath = Object.entries(values).filter(([name]) => path.split('/').includes(`:${name}`))
  const [example] = listExamples(route)
  const { url, body } = buildExampleRequest(route, { input: { ...example?.input, ...Object.fromEntries(inPath) } })
  return { method, path: url, body }
}

const formatEndpoint = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`
const listPrivate = (routes: readonly Route[]) => routes.filter(({ isPrivate }) => isPrivate).map(formatEndpoint)
