import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readToolsEnv, toolsVariables } from './env.ts'

test('the example lists every variable, and the tools start with it', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(toolsVariables))
  expect(readToolsEnv(example)).toMatchObject({ SVC_GATEWAY_URL: 'http://127.0.0.1:4020' })
})

test('no variable is a key', () => {
  expect(toolsVariables.filter((name) => /KEY|SECRET|MNEMONIC/.test(name))).toEqual([])
})
