import { expect, test } from 'vitest'
import { tools } from './index.ts'

test('every tool calls the wallet that it is about `address`, as the routes do', () => {
  const names = tools.flatMap(({ name, input }) => Object.keys(input.shape).map((field) => `${name}.${field}`))
  expect(names.filter((each) => /wallet/i.test(each))).toEqual([])
  expect(names.filter((each) => each.endsWith('.address'))).toHaveLength(16)
})
