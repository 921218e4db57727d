import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { World } from '@svc/devnet'
import { accounts } from '@svc/devnet'
import type { Listening } from '@svc/serve'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHostedTools, toHostedDeps } from '../../apps/tools/src/hosted.ts'
import { serveHttp } from '../../apps/tools/src/http.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolServer } from '../../apps/tools/src/server.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { type Caller, commandLines, connect, createCaller } from '../../apps/tools/test/connect.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { type Nginx, startNginx } from '../harness/nginx.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const hosts = ['market.example', '127.0.0.1']
let world: World
let nginx: Nginx
const hostedTools = createHostedTools()
const replicas: Listening[] = []
/** How many requests each replica answered, and how many pages of open tasks they read from the chain. */
const answered = [0, 0]
let pagesRead = 0

beforeAll(async () => {
  world = await startDemoWorld()
  const markets = openMarkets([world.devnet.rpcUrl], world.devnet.deployments)
  const deps = toHostedDeps(createToolDeps(markets, 'http://127.0.0.1:9'))
  const { listOpen } = deps.reader
  deps.reader.listOpen = (...page) => {
    pagesRead += 1
    return listOpen(...page)
  }
  // What a hostile client sends is not a fault of ours.
  const onError = () => {}
  for (const index of [0, 1]) {
    const factory = () => {
      answered[index] = (answered[index] ?? 0) + 1
      return createToolServer(deps, onError, hostedTools)
    }
    replicas.push(await serveHttp(factory, { port: 0, onError, hosts }))
  }
  nginx = await startNginx([1], { mcpPorts: replicas.map(({ port }) => port) })
})
afterAll(async () => {
  await nginx?.stop()
  for (const replica of replicas) await replica.close(0)
  await world?.devnet.stop()
})

const open = async (era: 'auto' | 'legacy'): Promise<Caller> =>
  createCaller(await connect(new URL(`${nginx.url}/mcp`), era))

test.each(['auto', 'legacy'] as const)('any replica answers any call, %s', async (era) => {
  const before = [...answered]
  const caller = await open(era)
  for (let turn = 0; turn < 6; turn++) {
    const { isError, structuredContent } = await caller.call('svc_list_open_tasks', { market: 'micro', limit: 2 })
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toMatchObject({ tasks: [{ netPay: expect.any(String) }, {}] })
  }
  await caller.close()
  for (const [index, count] of before.entries()) expect(answered[index]).toBeGreaterThan(count)
})

test('strangers who ask the same at once cost the providers one read', async () => {
  const caller = createCaller(await connect(new URL(`http://127.0.0.1:${replicas[0]?.port}/mcp`), 'legacy'))
  pagesRead = 0
  const ask = () => caller.call('svc_list_open_tasks', { market: 'standard', limit: 3 })
  await Promise.all(Array.from({ length: 20 }, ask))
  expect(pagesRead).toBe(1)
  await caller.close()
})

test('it reads and prepares, and has neither keys nor files', async () => {
  const client = await connect(new URL(`${nginx.url}/mcp`), 'auto')
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(hostedTools.map(({ name }) => name))
  expect(names.filter((name) => /_(?:work|send|read_(?:work|messages|inbox)|negotiate|request)\b/.test(name))).toEqual(
    [],
  )
  const caller = createCaller(client)
  const topUp = { action: 'top-up', input: { market: 'micro', amountUsdc: '5000000' }, address: accounts.ivo.address }
  const { structuredContent } = await caller.call('svc_prepare', { ...topUp, calls: true })
  expect(structuredContent).toMatchObject({ ready: true, sendCalls: { from: accounts.ivo.address } })
  const draft = {
    poster: accounts.ivo.address,
    title: 'A',
    criteria: 'B',
    milestones: [{ title: 'C', amount: '2,000', duration: '2 days' }],
  }
  const { content } = await caller.call('svc_build_task_terms', draft)
  expect(content[0]?.text).toContain('NOT_CONFIGURED')
  const built = await caller.call('svc_build_task_terms', { ...draft, store: 'none' })
  // The next call may reach another replica, so the terms are returned in full.
  expect(built.structuredContent).toMatchObject({ untrustedTerms: { title: 'A' } })
  expect(built.structuredContent).not.toHaveProperty('draftId')
  await caller.close()
})

test('an agent that knows only the host finds the server, and how to work there', async () => {
  const get = async (path: string) => (await fetch(new URL(path, nginx.url))).text()
  const { entries } = JSON.parse(await get('/.well-known/ai-catalog.json'))
  expect(entries).toEqual([
    {
      identifier: 'urn:air:market.example:mcp:tools',
      type: 'application/mcp-server-card+json',
      url: 'https://market.example/mcp/server-card',
    },
  ])
  const card = JSON.parse(await get(new URL(entries[0].url).pathname))
  const client = await connect(new URL(`${nginx.url}/mcp`), 'auto')
  expect(card).toMatchObject({ version: client.getServerVersion()?.version })
  expect(card.remotes).toEqual([{ type: 'streamable-http', url: 'https://market.example/mcp' }])
  await client.close()
  expect(await get('/SKILL.md')).toMatch(/^---\nname: task-market\n/)
})

test.each<[string, { host?: string; origin?: string; body?: string; type?: string }, number[]]>([
  ['the market itself', { host: 'market.example' }, [200]],
  ['a foreign host', { host: 'evil.example' }, [403]],
  ['a foreign origin', { origin: 'https://evil.example' }, [403]],
  ['an origin that is no URL', { origin: 'null' }, [403]],
  ['a body that is too large', { body: `"${'x'.repeat(300_000)}"` }, [413]],
  ['a body that is not JSON', { body: '{' }, [400]],
  ['deep nesting', { body: '['.repeat(20_000) }, [400]],
  ['another type', { type: 'text/plain' }, [400, 415]],
])('%s', async (_, { host, origin, body = list, type = 'application/json' }, statuses) => {
  expect(statuses).toContain(
    await send(body, { 'content-type': type, ...(host && { host }), ...(origin && { origin }) }),
  )
})

test('one client cannot take all of it', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 60 }, () => send(list, { 'content-type': 'application/json' })),
  )
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10)
})

// The other scenarios of the suite test a server made for them, with tools of certain names.
test.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'])(
  'the conformance suite of MCP passes: %s',
  async (scenario) => {
    const args = ['server', '--url', `${nginx.url}/mcp`, '--scenario', scenario]
    const { stdout } = await promisify(execFile)(process.execPath, [commandLines.conformance, ...args], {
      cwd: nginx.folder,
    })
    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  },
)

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** Sends a request through nginx and returns its status. fetch cannot set the Host header. */
function send(body: string, headers: Record<string, string>): Promise<number | undefined> {
  const accept = 'application/json, text/event-stream'
  return new Promise((resolve, reject) => {
    const call = request(`${nginx.url}/mcp`, { method: 'POST', headers: { accept, ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    call.on('error', reject)
    call.end(body)
  })
}
