import { expect, test } from 'vitest'
import * as protocol from './index.ts'

test('the public surface', () => {
  expect(Object.keys(protocol).sort()).toMatchInlineSnapshot(`
    [
      "InvalidTaskIdError",
      "formatTaskId",
      "isMarket",
      "market",
      "markets",
      "parseTaskId",
      "taskId",
    ]
  `)
})
