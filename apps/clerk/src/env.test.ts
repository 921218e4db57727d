import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readClerkEnv, variables } from './env.ts'

const key = `0x${'5a'.repeat(32)}`

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readClerkEnv(example)).toMatchObject({ SVC_CLERK_DOMAIN: '127.0.0.1:8080', SVC_CLERK_RECHECK_SECONDS: 30 })
})

test('reports all invalid variables at once, without the key', () => {
  const read = () =>
    readClerkEnv({
      SVC_CLERK_KEY: key.slice(2),
      SVC_STORE_ADDRESS: '0x12',
      SVC_CLERK_DOMAIN: 'https://a',
      SVC_STORE_URL: 'a',
    })
  expect(read).toThrow(
    /SVC_DEPLOYMENTS[\s\S]*SVC_STORE_URL[\s\S]*SVC_STORE_ADDRESS[\s\S]*SVC_CLERK_DOMAIN[\s\S]*SVC_CLERK_KEY[\s\S]*SVC_CLERK_FOLDER/,
  )
  expect(read).not.toThrow(/5a5a/)
  expect(() => readClerkEnv({ ...example, SVC_CLERK_KEY: key })).toThrow(/either it or SVC_CLERK_KEY/)
})
