import { apiRoutes, errorCodes } from '@svc/operations'
import { expect, test } from 'vitest'
import { createDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

const text = JSON.stringify(openapiDocument())

test('every error code is a code of some route', () => {
  // These never reach a route, or nobody is left to read them. Routes of the store and the notifier are in their own documents.
  const beforeRoutes = [
    'NOT_FOUND',
    'CHAT_CANCELLED',
    'REQUEST_TIMED_OUT',
    'STORE_UNREACHABLE',
    'NOTIFIER_UNREACHABLE',
    'EXPECTATION_FAILED',
    'HEADERS_TOO_LARGE',
  ]
  for (const code of Object.keys(errorCodes).filter((each) => !beforeRoutes.includes(each))) {
    expect(text, code).toContain(`\`${code}\``)
  }
})

test('the reference page asks no other host for anything and has no script', () => {
  const page = createDocuments().find(({ path }) => path === '/docs')
  expect(page?.text).not.toMatch(/<script|https?:\/\/|@import|url\(/)
  expect(page?.policy).toContain("default-src 'none'")
})

test('the reference page marks the routes that we added, in its contents and at each', () => {
  const page = createDocuments().find(({ path }) => path === '/docs')
  const added = apiRoutes.filter(({ isSpecified }) => !isSpecified)
  expect(page?.text.match(/our addition</g)).toHaveLength(2 * added.length)
})
