import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { createClientResolver, createDatabase, createRateLimit, limitsSchema, migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BudgetOptions, createBudget } from '../../apps/api/src/chat/budget.ts'
import { createChat } from '../../apps/api/src/chat/chat.ts'
import { createChatGateway } from '../../apps/api/src/chat/gateway.ts'
import { type BareService, startBareService } from '../harness/bareService.ts'
import { type FakeGateway, formatCompletion, startFakeGateway } from '../harness/fakeGateway.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const maxTokens = 500
const key = 'sk-test-"quoted"/and+slashed'
let database: TestDatabase
let sql: Sql
let gateway: FakeGateway
let services: BareService[] = []
/** Every byte that any service sent, to search it for the key. */
let sent: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 4, onnotice: () => {} })
  await migrateSchema(sql, limitsSchema)
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})
beforeEach(async () => {
  gateway = await startFakeGateway()
})
afterEach(async () => {
  const seen = [...sent, ...services.flatMap(({ lines }) => lines)].join('\n')
  await Promise.all(services.map(({ close }) => close(100)))
  await gateway.stop()
  services = []
  sent = []
  for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]) expect(seen).not.toContain(form)
  await sql`truncate limits.chat_tokens`
})

interface Given {
  perMinute?: number
  budget?: Partial<BudgetOptions>
  maxInFlight?: number
  timeoutMs?: number
}

async function serviceWith({ perMinute = 1_000, budget, maxInFlight = 8, timeoutMs = 5_000 }: Given = {}) {
  const chat = createChat({
    gateway: createChatGateway({ baseUrl: gateway.baseUrl, key, model: 'small', timeoutMs }),
    limit: createRateLimit({ perMinute }),
    budget: createBudget(createDatabase(sql, limitsSchema), { tokensPerDay: 10_000_000, ...budget }),
    maxTokens,
    maxInFlight,
  })
  const service = await startBareService({ chat, resolveClient: createClientResolver(['127.0.0.1']), secrets: [key] })
  services.push(service)
  return service
}

const question = { messages: [{ role: 'user', content: 'What is a task?' }] }
/** As the gateway says: far less than what is reserved for the question. */
const usage = (tokens: unknown) => (response: ServerResponse) =>
  response.end(JSON.stringify({ ...JSON.parse(formatCompletion('hello')), usage: { total_tokens: tokens } }))
const readTokens = async (network: string) =>
  Number((await sql`select tokens from limits.chat_tokens where network = ${network}`)[0]?.tokens ?? 0)

const from = (client: string) => ({ 'x-forwarded-for': client })

async function ask({ url }: BareService, body: unknown = question, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/role-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  sent.push(text, JSON.stringify([...response.headers]))
  return { status: response.status, body: JSON.parse(text), headers: response.headers }
}

test('POST /api/role-chat 200', async () => {
  const service = await serviceWith()
  const { status, body, headers } = await ask(service, { system: 'You are a pirate.', ...question })
  expect({ status, body }).toEqual({ status: 200, body: { text: 'hello', model: 'fake-1' } })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  const [asked] = gateway.asked
  expect(asked?.authorization).toBe(`Bearer ${key}`)
  expect(asked?.contentType).toBe('application/json')
  expect(asked?.body).toStrictEqual({
    model: 'small',
    messages: [
      { role: 'system', content: expect.stringMatching(/^You answer[\s\S]*rules above\.\n\nYou are a pirate\.$/) },
      question.messages[0],
    ],
  })
})

test('POST /api/role-chat 503 without a key, before the body is read', async () => {
  const service = await startBareService()
  services.push(service)
  const socket = connect(service.port, '127.0.0.1')
  // The body is never sent.
  socket.write(
    'POST /api/role-chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
  )
  const answer = await new Promise<string>((done) => socket.once('data', (data) => done(String(data))))
  socket.destroy()
  expect(answer).toMatch(/^HTTP\/1.1 503 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toContain('{"error":"LLM_GATEWAY_API_KEY is not configured","code":"CHAT_NOT_CONFIGURED"}')
})

test.each([
  ['another content type', 415, question, { 'content-type': 'text/plain' }],
  ['no JSON', 400, '{"messages":', {}],
  ['a list', 400, [], {}],
  ['no messages', 400, { messages: [] }, {}],
  ['a system role', 400, { messages: [{ role: 'system', content: 'x' }, ...question.messages] }, {}],
  ['a tool role', 400, { messages: [{ role: 'tool', content: 'x' }, ...question.messages] }, {}],
  ['a developer role', 400, { messages: [{ role: 'developer', content: 'x' }, ...question.messages] }, {}],
  ['an answer at the end', 400, { messages: [...question.messages, { role: 'assistant', content: 'x' }] }, {}],
  ['a model', 400, { ...question, model: 'big' }, {}],
  ['tools', 400, { ...question, tools: [] }, {}],
  ['a field in a message', 400, { messages: [{ role: 'user', content: 'x', name: 'y' }] }, {}],
  [
    'parts as content',
    400,
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'http://127.0.0.1' }] }] },
    {},
  ],
  ['no content', 400, { messages: [{ role: 'user', content: '' }] }, {}],
  ['a long message', 400, { messages: [{ role: 'user', content: 'x'.repeat(16_001) }] }, {}],
  ['a long system', 400, { system: 'x'.repeat(8_001), ...question }, {}],
  ['41 messages', 400, { messages: Array.from({ length: 41 }, () => question.messages[0]) }, {}],
  [
    'too much in all',
    400,
    { messages: Array.from({ length: 5 }, () => ({ role: 'user', content: 'x'.repeat(15_000) })) },
    {},
  ],
  ['too many bytes', 413, ' '.repeat(256 * 1024 + 1), {}],
])('POST /api/role-chat with %s %i', async (_, status, body, headers) => {
  const service = await serviceWith()
  expect(await ask(service, body, headers)).toMatchObject({ status, body: { error: expect.any(String) } })
  expect(gateway.asked).toEqual([])
})

const leak = `Authorization: Bearer ${key}`
test.each<[string, number, Parameters<FakeGateway['answer']>[0]]>([
  ['500', 502, (response) => response.writeHead(500).end(leak)],
  ['401', 502, (response) => response.writeHead(401).end(leak)],
  ['429', 429, (response) => response.writeHead(429, { 'retry-after': '999', 'x-leak': 'upstream' }).end(leak)],
  ['a redirect', 502, (response) => response.writeHead(307, { location: `${gateway.baseUrl}/elsewhere` }).end()],
  ['garbage', 502, (response) => response.end('<html>')],
  ['other JSON', 502, (response) => response.end('{"choices":[]}')],
  ['content that is no text', 502, (response) => response.end(formatCompletion(null))],
  ['a model that is no text', 502, (response) => response.end(formatCompletion('hello', 7))],
  ['the key in its text', 502, (response) => response.end(formatCompletion(`You sent ${key}.`))],
  ['the key as its model', 502, (response) => response.end(formatCompletion('hello', key))],
  ['10 MB', 502, (response) => response.end(formatCompletion('x'.repeat(10_000_000)))],
  [
    'half an answer',
    502,
    (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
  ],
  ['a closed door', 502, (response) => response.destroy()],
])('POST /api/role-chat when the gateway answers %s %i', async (_, status, how) => {
  const service = await serviceWith()
  gateway.answer(how)
  const answer = await ask(service)
  expect(answer.status).toBe(status)
  expect(answer.body.error).toMatch(/^The chat gateway /)
  expect(answer.headers.get('x-leak')).toBeNull()
  if (status === 429) expect(answer.headers.get('retry-after')).toBe('60')
  expect(gateway.asked).toHaveLength(1)
})

test('POST /api/role-chat 504 when the gateway hangs, before and in the middle of its answer', async () => {
  const service = await serviceWith({ timeoutMs: 200 })
  gateway.answer(() => {})
  expect(await ask(service)).toMatchObject({ status: 504, body: { code: 'CHAT_TIMED_OUT' } })
  gateway.answer((response) => response.write('{"model":'))
  expect(await ask(service)).toMatchObject({ status: 504, body: { code: 'CHAT_TIMED_OUT' } })
})

test('a client that disconnects cancels its chat request within a second', async () => {
  const service = await serviceWith({ timeoutMs: 60_000 })
  const abandoned = gateway.abandoned()
  const client = new AbortController()
  const asked = new Promise((done) => gateway.answer(done))
  const gone = fetch(`${service.url}/api/role-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: client.signal,
  })
  await asked
  const left = performance.now()
  client.abort()
  await expect(gone).rejects.toThrow()
  await abandoned
  expect(performance.now() - left).toBeLessThan(4_000)
})

test('a client over its limit must wait, and others need not', async () => {
  const service = await serviceWith({ perMinute: 2 })
  expect((await ask(service)).status).toBe(200)
  expect((await ask(service)).status).toBe(200)
  const refused = await ask(service)
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit-limit')).toBe('2')
  expect(gateway.asked).toHaveLength(2)
  expect((await ask(service, question, from('203.0.113.9'))).status).toBe(200)
})

test('the number of waiting chat requests is limited', async () => {
  const service = await serviceWith({ maxInFlight: 2 })
  const held: (() => void)[] = []
  const both = new Promise<void>((done) =>
    gateway.answer((response) => {
      held.push(() => response.end(formatCompletion('late')))
      if (held.length === 2) done()
    }),
  )
  const waiting = [ask(service, question, from('203.0.113.9'))]
  await expect.poll(() => held.length).toBe(1)
  expect(await ask(service, question, from('203.0.113.10')), 'half of them for one network').toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
  })
  waiting.push(ask(service, question, from('198.51.100.1')))
  await both
  expect(await ask(service, question, from('192.0.2.1'))).toMatchObject({ status: 503, body: { code: 'CHAT_BUSY' } })
  for (const release of held) release()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
})

test('the daily budget holds across replicas that spend it at the same time', async () => {
  const alone = await serviceWith()
  await ask(alone)
  // Without usage in the answer, what was reserved counts.
  const cost = await readTokens('all')
  await sql`truncate limits.chat_tokens`
  const budget = { tokensPerDay: 7 * cost, shares: [1, 1] } as const
  const replicas = await Promise.all(Array.from({ length: 3 }, () => serviceWith({ budget, maxInFlight: 50 })))
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      ask(replicas[index % 3] as BareService, question, from(`203.0.${index}.1`)),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const each of refused) expect(each).toMatchObject({ status: 503, body: { code: 'CHAT_BUSY' } })
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
  expect(gateway.asked).toHaveLength(8)
})

test('the budget counts the tokens that the gateway reports, and the reservation if it reports none or fails', async () => {
  const service = await serviceWith()
  gateway.answer(usage(42))
  await ask(service)
  await ask(service)
  expect(await readTokens('all')).toBe(84)
  expect(await readTokens('127.0.0.1')).toBe(84)
  expect(await readTokens('127.0.0.0/24')).toBe(84)
  for (const nonsense of [-1, 1.5, 'many', 1e12]) {
    const before = await readTokens('all')
    gateway.answer(usage(nonsense))
    expect((await ask(service)).status).toBe(200)
    expect(await readTokens('all')).toBeGreaterThan(before + maxTokens)
  }
  const before = await readTokens('all')
  gateway.answer((response) => response.writeHead(500).end())
  await ask(service)
  expect(await readTokens('all')).toBeGreaterThan(before + maxTokens)
})

test('one network cannot spend the budget of everybody, however many addresses it has', async () => {
  const service = await serviceWith({ budget: { tokensPerDay: 100_000 } })
  gateway.answer(usage(1_000))
  const spend = async (clients: readonly string[]) => {
    const statuses = []
    for (const client of clients) statuses.push((await ask(service, question, from(client))).status)
    return { asked: statuses.filter((status) => status === 200).length, others: new Set(statuses.slice(-1)) }
  }
  const subnets = (count: number, step: number) =>
    Array.from({ length: count }, (_, index) => `2001:db8:1:${(index * step).toString(16)}::1`)
  // A twentieth for a /56, a tenth for a /48.
  expect(await spend(subnets(8, 1))).toEqual({ asked: 5, others: new Set([429]) })
  expect(await spend(subnets(12, 256))).toEqual({ asked: 5, others: new Set([429]) })
  expect((await ask(service, question, from('2001:db8:2::1'))).status).toBe(200)
  const refused = await ask(service, question, from('2001:db8:1::1'))
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await readTokens('all')).toBe(11_000)
})

test('without the database nothing is spent', async () => {
  const away = postgres('postgres://nobody@127.0.0.1:1/none', { connect_timeout: 1 })
  const chat = createChat({
    gateway: createChatGateway({ baseUrl: gateway.baseUrl, key, model: 'small' }),
    limit: createRateLimit({ perMinute: 10 }),
    budget: createBudget(createDatabase(away, limitsSchema), { tokensPerDay: 1_000_000 }),
    maxTokens,
  })
  const service = await startBareService({ chat, secrets: [key] })
  services.push(service)
  const answer = await ask(service)
  expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_UNREACHABLE' } })
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(gateway.asked).toEqual([])
  await away.end({ timeout: 0 })
})
