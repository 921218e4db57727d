import { expect, test } from 'vitest'
import { operations } from './contract.ts'
import { findAnswerFault } from './findAnswerFault.ts'
import type { RawRequest } from './request.ts'
import { createRequestGenerator } from './requestGenerator.ts'
import type { RawAnswer } from './send.ts'
import { listSsrfUrls } from './ssrfUrls.ts'

const request: RawRequest = { method: 'GET', target: '/api/market/open', headers: [], body: null, label: '' }
const answer = (status: number | null, body: unknown = '', headers: Record<string, string> = {}): RawAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ms: 1,
})
const refusal = { error: 'market must be standard or micro.', code: 'INVALID_MARKET' }

test('accepts what the contract documents', () => {
  expect(findAnswerFault(request, answer(400, refusal))).toBeNull()
  expect(findAnswerFault(request, answer(304))).toBeNull()
  expect(findAnswerFault({ ...request, isMalformed: true }, answer(null))).toBeNull()
})

test.each([
  ['a 401', answer(401, refusal)],
  ['no answer', answer(null)],
  ['a server error', answer(500, { error: 'Internal error', code: 'INTERNAL' })],
  ['a status of another route', answer(422, { error: 'x', code: 'TX_CONTRADICTS' })],
  ['an unknown code', answer(400, { error: 'x', code: 'OOPS' })],
  ['an answer of another shape', answer(200, { tasks: [{}], meta: {} })],
  ['half an answer', answer(200, '{"tasks":[')],
  ['two answers', answer(400, `${JSON.stringify(refusal)}HTTP/1.1 400 Bad Request`)],
  ['another type', answer(400, refusal, { 'content-type': 'text/html' })],
  ['a stack', answer(400, { ...refusal, error: 'x\n    at run (file.ts:1:1)' })],
  ['a local path', answer(400, { ...refusal, error: `${process.cwd()}/x` })],
  ['a header of the client', answer(400, refusal, { 'x-injected': '1' })],
  ['credentials', answer(400, refusal, { 'access-control-allow-credentials': 'true' })],
])('rejects %s', (_, given) => {
  expect(findAnswerFault(request, given)).not.toBeNull()
})

test('a seed generates the same requests again, and tries every URL in every text field', () => {
  const tricks = listSsrfUrls(1)
  expect(new Set(tricks).size).toBeGreaterThanOrEqual(100)
  const [one, two, other] = [
    createRequestGenerator(7, tricks),
    createRequestGenerator(7, tricks),
    createRequestGenerator(8, tricks),
  ]
  const fields = operations.reduce((sum, { words }) => sum + words.length, 0)
  expect(one.urls).toBe(fields * tricks.length)
  const isUrl = ({ label }: RawRequest) => label.startsWith('a URL in ')
  expect(Array.from({ length: one.urls }, (_, index) => one.draw(2 * index)).every(isUrl)).toBe(true)
  expect(Array.from({ length: 100 }, (_, index) => one.draw(2 * index + 1)).some(isUrl)).toBe(false)
  const drawn = (draw: typeof one) => Array.from({ length: 200 }, (_, index) => draw.draw(index))
  expect(drawn(two)).toEqual(drawn(one))
  expect(drawn(other)).not.toEqual(drawn(one))
})
