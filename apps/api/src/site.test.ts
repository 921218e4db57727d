import { expect, test } from 'vitest'
import { answerSite, type Site } from './site.ts'

const bytes = new TextEncoder().encode('<!doctype html>')
const page = { bytes, gzip: bytes, type: 'text/html; charset=utf-8', etag: 'W/"x"', isFixed: false }
const site: Site = new Map([['/index.html', page]])
const context = { id: 'request1', client: '127.0.0.1', limit: null, left: 0 }

const answer = (path: string, accept?: string) =>
  answerSite(site, new Request(`http://x${path}`, { headers: accept ? { accept } : {} }), path, context)?.status ?? null

test('S11: the root is a page for every client that accepts one; other paths only for browsers', () => {
  expect(answer('/', '*/*')).toBe(200)
  expect(answer('/')).toBe(200)
  expect(answer('/', 'text/html,application/xhtml+xml')).toBe(200)
  expect(answer('/', 'application/json')).toBeNull()
  expect(answer('/task/v2:micro:1', 'text/html')).toBe(200)
  expect(answer('/api/markets', '*/*')).toBeNull()
  expect(answer('/api/markets', 'text/html')).toBeNull()
})
