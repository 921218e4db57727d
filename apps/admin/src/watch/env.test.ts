import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../../test/harness/exampleEnv.ts'
import { readWatchEnv, variables } from './env.ts'

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readWatchEnv(example)).toMatchObject({ SVC_WATCH_JUDGES: 3 })
})

test('reports all invalid variables at once', () => {
  expect(() => readWatchEnv({ SVC_WATCH_GUARDIAN: '0x12', SVC_WATCH_SECONDS: '0' })).toThrow(
    /SVC_DEPLOYMENTS[\s\S]*SVC_WATCH_GUARDIAN[\s\S]*SVC_WATCH_SECONDS/,
  )
})
