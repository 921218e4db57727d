import { readFileSync } from 'node:fs'
import { apiRoutes, errorCodes } from '@svc/operations'
import { expect, test } from 'vitest'
import { createDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

const document = openapiDocument()
const text = JSON.stringify(document)

test('every route of the spec is in the contract', () => {
  const spec = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')
  for (const { path } of apiRoutes) expect(spec).toContain(`\n  ${path}:\n`)
})

test('every reference leads to a schema', () => {
  const names = new Set(text.match(/#\/components\/schemas\/\w+/g))
  expect(names.size).toBeGreaterThan(5)
  for (const name of names)
    expect(document.components.schemas).toHaveProperty(name.slice('#/components/schemas/'.length))
})

test('operations have names of their own', () => {
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every error code is a code of some route', () => {
  // These never reach a route, or nobody is left to read them.
  const beforeRoutes = ['NOT_FOUND', 'CHAT_CANCELLED', 'REQUEST_TIMED_OUT', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE']
  for (const code of Object.keys(errorCodes).filter((each) => !beforeRoutes.includes(each))) {
    expect(text, code).toContain(`\`${code}\``)
  }
})

test('the reference page asks no other host for anything and has no script', () => {
  const page = createDocuments().find(({ path }) => path === '/docs')
  expect(page?.text).not.toMatch(/<script|https?:\/\/|@import|url\(/)
  expect(page?.policy).toContain("default-src 'none'")
})
