import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readEnv, variables } from './env.ts'

test('the example has every variable, and the indexer starts with it', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readEnv(example)).toMatchObject({ CHAIN_RPC_URL: ['http://127.0.0.1:8545'], SVC_INDEX_POLL_MS: 200 })
})

test('every fault is named at once, with the way out', () => {
  const broken = { CHAIN_RPC_URL: 'ftp://x', SVC_INDEX_PORT: '99999', SVC_INDEX_BUILD: 'A; drop table' }
  expect(() => readEnv(broken)).toThrow(
    /CHAIN_RPC_URL[\s\S]*SVC_DATABASE_URL[\s\S]*SVC_DEPLOYMENTS[\s\S]*SVC_INDEX_BUILD[\s\S]*SVC_INDEX_PORT[\s\S]*\.env\.example/,
  )
})
