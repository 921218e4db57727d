import { createClient } from '@svc/client'
import { errorJson } from '@svc/protocol/http'
import { expect } from 'vitest'
import { z } from 'zod'
import { openapiDocument } from '../../../apps/api/src/contract/openapi.ts'
import { routes } from '../../../apps/api/src/routes/index.ts'
import { completion, startFakeGateway } from '../../harness/fakeGateway.ts'
import { startIndexedWorld } from '../../harness/indexed.ts'
import { type Service, startService } from '../../harness/service.ts'
import { chatOver, lacksOf } from './lacks.ts'
import type { Bench, Lack, Reply } from './statement.ts'

const { paths } = openapiDocument()

/** Starts a world and an API over it. Every answer is held against the contract, whatever a proof looks at. */
export async function startBench(): Promise<Bench & { stop: () => Promise<void> }> {
  const world = await startIndexedWorld()
  const gateway = await startFakeGateway()
  gateway.answer((response, { url }) => {
    if (!url?.includes('/hang/')) response.end(completion('A task is work for a wallet.'))
  })
  const whole = await startService(world, { chat: chatOver(gateway) })
  const lacks = lacksOf(world, gateway)
  const started = new Map<Lack, Promise<Service>>()

  const appOf = async (lack?: Lack) => {
    if (!lack) return whole.app
    const service = started.get(lack) ?? startService(world, { chat: chatOver(gateway), ...lacks[lack] })
    started.set(lack, service)
    return (await service).app
  }
  const send: Bench['send'] = async (path, init, lack) => {
    const request = new Request(new URL(path, 'http://api'), init)
    const response = await (await appOf(lack)).fetch(request)
    const text = await response.text()
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
    const reply = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
    judge(request, reply)
    return reply
  }
  return {
    world,
    expect,
    send,
    post: (path, body, lack) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, lack),
    client: createClient({
      baseUrl: 'http://api',
      async fetch(request) {
        const response = await whole.app.fetch(request)
        judge(request, { status: response.status, body: await response.clone().json() })
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

/** The contract has this status for this route, and the body is of its schema. */
function judge({ url, method }: Request, { status, body }: Pick<Reply, 'status' | 'body'>): void {
  const { pathname } = new URL(url)
  const route = routes.find(({ path }) => path === pathname)
  const operation = paths[pathname]?.[method.toLowerCase()] as { responses: Record<string, unknown> } | undefined
  const name = `${method} ${pathname} ${status}`
  if (operation) expect(Object.keys(operation.responses), name).toContain(String(status))
  const schema = status >= 400 ? errorJson : status === 200 ? route?.answer : undefined
  if (schema) expect(z.safeParse(schema, body).error?.issues ?? [], name).toEqual([])
}
