import { operations } from '@svc/operations'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type CallHandler, implementCalls } from './implementCalls.ts'
import { mountHttp } from './mountHttp.ts'
import type { RequestContext } from './requestContext.ts'

// `tsc` checks this file: a mistake that it no longer finds is an unused `@ts-expect-error`.

const implement = implementCalls<{ signer: string }>()
const quota = { tier: 'free', used: 1, limit: 3, canPost: true } as const

const recordPost = implement(operations.recordPost)(async ({ task, amount }) => {
  const parsed: readonly bigint[] = [task.number, amount]
  return { recorded: true, quota: { ...quota, used: parsed.length } }
})
const chat = implement(operations.chat)(async (_, { signer }) => ({ text: signer, model: 'none' }))

// @ts-expect-error a misspelt field
implement(operations.recordPost)(async () => ({ recordet: true, quota }))

// @ts-expect-error a missing field
implement(operations.recordPost)(async () => ({ recorded: true }))

// @ts-expect-error a field too many
implement(operations.recordPost)(async () => ({ recorded: true, quota, more: 1 }))

// @ts-expect-error another type
implement(operations.recordPost)(async () => ({ recorded: 'yes', quota }))

// @ts-expect-error a read is not a call
implement(operations.getTask)

const app = new Hono<{ Bindings: RequestContext }>()
const endpoints = { chat: 'POST /chat', recordPost: 'POST /record' } as const
const answer = () => new Response('')
type Handler = CallHandler<{ signer: string }>

test('every endpoint has its own handler', () => {
  mountHttp<Handler, typeof endpoints>(app, endpoints, { chat, recordPost }, answer)
  // @ts-expect-error an endpoint without a handler
  const mountLess = () => mountHttp<Handler, typeof endpoints>(app, endpoints, { chat }, answer)
  // @ts-expect-error the handler of another operation
  const mountOther = () => mountHttp<Handler, typeof endpoints>(app, endpoints, { chat, recordPost: chat }, answer)
  expect([app.routes.length, mountLess, mountOther]).toMatchObject([2, expect.any(Function), expect.any(Function)])
})
