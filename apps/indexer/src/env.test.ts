import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readIndexerEnv, variables } from './env.ts'

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readIndexerEnv(example)).toMatchObject({ CHAIN_RPC_URL: ['http://127.0.0.1:8545'], SVC_INDEX_POLL_MS: 200 })
})

test('reports all invalid variables at once and says where to look', () => {
  const broken = { CHAIN_RPC_URL: 'ftp://x', SVC_INDEX_PORT: '99999', SVC_INDEX_BUILD: 'A; drop table' }
  expect(() => readIndexerEnv(broken)).toThrow(
    /CHAIN_RPC_URL[\s\S]*SVC_DEPLOYMENTS[\s\S]*SVC_DATABASE_URL[\s\S]*SVC_INDEX_BUILD[\s\S]*SVC_INDEX_PORT[\s\S]*\.env\.example/,
  )
})
