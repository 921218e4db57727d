// How the API answers over HTTP without a chain. What it answers with one: test/behaviour.
import { apiRoutes } from '@svc/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type BareService, startBareService } from '../harness/bareService.ts'

const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
let service: BareService
beforeAll(async () => {
  service = await startBareService()
})
afterAll(() => service?.close(100))

const send = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${service.url}${path}`, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
const post = (path: string, body: unknown, type = 'application/json') =>
  send(path, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) })

const gets = apiRoutes.filter(({ method }) => method === 'get').map(({ path }) => path)
const posts = apiRoutes.filter(({ method }) => method === 'post').map(({ path }) => path)

test('any origin may GET, without credentials, and none may POST', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  for (const path of gets) {
    const answer = await send(`${path}?address=${wallet}&id=v2:standard:1&ids=v2:standard:1&tier=basic`, { headers })
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials'), path).toBeNull()
  }
  for (const path of posts) {
    const answer = await send(path, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
    expect(answer.headers.get('access-control-allow-origin'), path).toBeNull()
  }
})

test('the chat without a key is 503, and the error names the variable', async () => {
  const { status, body } = await post('/api/role-chat', { messages: [{ role: 'user', content: 'What is a task?' }] })
  expect({ status, body }).toMatchObject({ status: 503, body: { error: 'LLM_GATEWAY_API_KEY is not configured' } })
})

test('a POST takes JSON with its content type', async () => {
  for (const path of posts.filter((each) => each !== '/api/role-chat')) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect((await post(path, { address: wallet }, type)).status, `${path} ${type}`).toBe(415)
    }
    const { status } = await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })
    expect(status, path).toBe(400)
  }
})

test('the contract is served as YAML at /openapi.yaml', async () => {
  const { status, body } = await send('/openapi.yaml')
  expect(status).toBe(200)
  const { openapi, paths } = parse(body)
  expect(openapi).toMatch(/^3\.1\./)
  expect(Object.keys(paths)).toEqual(apiRoutes.map(({ path }) => path))
})
