import { apiEndpoints, type Client, createClient } from '@svc/client'
import { apiRoutes, errorJson } from '@svc/operations'
import { expect } from 'vitest'
import { z } from 'zod'
import { openapiDocument } from '../../../apps/api/src/contract/openapi.ts'
import { formatCompletion, startFakeGateway } from '../../harness/fakeGateway.ts'
import { type IndexedWorld, startIndexedWorld } from '../../harness/indexed.ts'
import { type Service, startService } from '../../harness/service.ts'
import { type Condition, chatOver, createConditions } from './conditions.ts'

const { paths } = openapiDocument()

/** An answer of the API that matches its contract. */
interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: already checked against the contract
  body: any
  headers: Headers
}

/** What the tests use: a devnet with the demo world, its index in Postgres, and the API over both. */
export interface ProofContext {
  world: IndexedWorld
  client: Client<typeof apiEndpoints>
  send: (path: string, init?: RequestInit, condition?: Condition) => Promise<Reply>
  /** Posts JSON. */
  post: (path: string, body: unknown, condition?: Condition) => Promise<Reply>
  /** Every `<path> <status>` that was answered so far. */
  answered: ReadonlySet<string>
  /** Resolves when the API knows the chain's newest block. */
  caughtUp: () => Promise<void>
}

/** Starts a world and an API over it. Every answer is checked against the contract, whatever the test looks at. */
export async function startProofContext(): Promise<ProofContext & { stop: () => Promise<void> }> {
  const world = await startIndexedWorld()
  const gateway = await startFakeGateway()
  gateway.answer((response, { url }) => {
    if (!url?.includes('/hang/')) response.end(formatCompletion('A task is work for a wallet.'))
  })
  const whole = await startService(world, { chat: chatOver(gateway) })
  const conditions = createConditions(world, gateway)
  const started = new Map<Condition, Promise<Service>>()
  const answered = new Set<string>()
  const check = (request: Request, reply: Pick<Reply, 'status' | 'body'>) => {
    answered.add(`${new URL(request.url).pathname} ${reply.status}`)
    checkAgainstContract(request, reply)
  }

  const getApp = async (condition?: Condition) => {
    if (!condition) return whole.app
    const service = started.get(condition) ?? startService(world, { chat: chatOver(gateway), ...conditions[condition] })
    started.set(condition, service)
    return (await service).app
  }
  const send: ProofContext['send'] = async (path, init, condition) => {
    const request = new Request(new URL(path, 'http://api'), init)
    const response = await (await getApp(condition)).fetch(request)
    const text = await response.text()
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
    const reply = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
    check(request, reply)
    return reply
  }
  return {
    world,
    answered,
    send,
    post: (path, body, condition) =>
      send(
        path,
        { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        condition,
      ),
    client: createClient(apiEndpoints, {
      baseUrl: 'http://api',
      async fetch(request) {
        const response = await whole.app.fetch(request)
        check(request, { status: response.status, body: await response.clone().json() })
        return response
      },
    }),
    caughtUp: whole.caughtUp,
    async stop() {
      const services = await Promise.all(started.values())
      for (const service of [...services, whole]) await service.stop()
      await gateway.stop()
      await world.stop()
    },
  }
}

/** Checks that the contract documents this status for this route, and that the body matches its schema. */
function checkAgainstContract({ url, method }: Request, { status, body }: Pick<Reply, 'status' | 'body'>): void {
  const { pathname } = new URL(url)
  const route = apiRoutes.find(({ path }) => path === pathname)
  const operation = paths[pathname]?.[method.toLowerCase()] as { responses: Record<string, unknown> } | undefined
  const name = `${method} ${pathname} ${status}`
  if (operation) expect(Object.keys(operation.responses), name).toContain(String(status))
  const schema = status >= 400 ? errorJson : status === 200 ? route?.operation.output : undefined
  if (schema) expect(z.safeParse(schema, body).error?.issues ?? [], name).toEqual([])
}
