import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readApiEnv, variables } from './env.ts'

test('the example has every variable, and the API starts with it', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readApiEnv(example)).toMatchObject({ SVC_SITE_PORT: 8080 })
})

test.each([
  'https://user:secret@rpc.example',
  'https://rpc.example/?key=secret',
  'https://rpc.example/v2/kX3vJ8sQ0aPz7LmN4bTq9wE2',
])('a public RPC that looks keyed is refused: %s', (SVC_PUBLIC_RPC_URL) => {
  expect(() => readApiEnv({ ...example, SVC_PUBLIC_RPC_URL })).toThrow(/SVC_PUBLIC_RPC_URL: seems to contain a key/)
})
