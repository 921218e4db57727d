import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { listNotifierSecrets, readNotifierEnv, variables } from './env.ts'

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readNotifierEnv(example)).toMatchObject({ SVC_NOTIFY_DOMAINS: ['127.0.0.1:8080'], SVC_NOTIFY_PORT: 4040 })
})

test('reports all invalid variables at once', () => {
  expect(() => readNotifierEnv({ SVC_NOTIFY_DOMAINS: 'https://a', SVC_NOTIFY_PORT: 'x' })).toThrow(
    /SVC_DEPLOYMENTS[\s\S]*SVC_DATABASE_URL[\s\S]*SVC_NOTIFY_DOMAINS[\s\S]*SVC_NOTIFY_PORT/,
  )
})

test('the database URL is a secret', () => {
  const env = readNotifierEnv(example)
  expect(listNotifierSecrets(env)).toContain(env.SVC_DATABASE_URL)
})
