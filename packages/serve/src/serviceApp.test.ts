import { expect, test } from 'vitest'
import { createChainQueue } from './chainQueue.ts'
import { createClientResolver } from './clientResolver.ts'
import { createRateLimit } from './rateLimit.ts'
import { createServiceApp } from './serviceApp.ts'
import { version } from './version.ts'

const lines: unknown[] = []
const log = (...line: unknown[]) => void lines.push(line)
let ready = true
const fetch = createServiceApp(
  {
    resolveClient: createClientResolver([]),
    log: { debug: log, info: log, warn: log, error: log, fatal: log, request: () => {} },
    stopping: new AbortController().signal,
    maxInFlight: 10,
    chainQueue: createChainQueue(),
    health: async () => ({ ready }),
    metrics: {
      watchInFlight: () => {},
      answered: (_, route, status) => void lines.push([route, status]),
      registry: { contentType: 'text/plain', metrics: async () => 'svc_build_info 1' },
    },
  },
  {
    paths: [
      { path: '/v1/things/:id', methods: ['GET'] },
      { path: '/v1/things/:id', methods: ['DELETE'] },
    ],
    mount: (app) => {
      app.get('/v1/things/:id', () => {
        throw new TypeError('own')
      })
    },
    limitFor: () => createRateLimit({ perMinute: 1_000 }),
    contract: {
      path: '/v1/openapi.yaml',
      build: () => {
        throw new Error('Built only when it is asked for.')
      },
    },
    allowHeaders: 'Authorization',
    explainError: (error) => error,
  },
)
const ask = async (path: string, method = 'GET') => {
  lines.length = 0
  const response = await fetch(new Request(`http://service${path}`, { method }))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('probes say what runs, whether it is ready, and its metrics', async () => {
  expect(JSON.parse((await ask('/healthz')).text)).toEqual({ alive: true, version })
  expect((await ask('/readyz')).status).toBe(200)
  ready = false
  expect((await ask('/readyz')).status).toBe(503)
  expect((await ask('/metrics')).text).toBe('svc_build_info 1')
  expect(lines).toContainEqual(['/metrics', 200])
})

test('a path is found by its form: another method is refused, and a preflight names all of them', async () => {
  const refused = await ask('/v1/things/7', 'PUT')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE, OPTIONS'])
  expect(lines).toContainEqual(['/v1/things/:id', 405])
  const preflight = await ask('/v1/things/7', 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, DELETE')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization')
  expect((await ask('/v1/things/7/more', 'OPTIONS')).status).toBe(404)
  expect(lines).toContainEqual(['other', 404])
})

test('an error that nobody explains is logged, and clients learn nothing of it', async () => {
  const { status, text } = await ask('/v1/things/7')
  expect([status, JSON.parse(text)]).toEqual([500, { error: 'Internal error', code: 'INTERNAL' }])
  expect(lines).toContainEqual([expect.objectContaining({ err: expect.any(TypeError) }), 'fault'])
})
