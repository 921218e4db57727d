import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type Tool } from './tool.ts'

const described = {
  name: 'svc_count',
  title: 'Count',
  description: 'Counts.',
  input: z.strictObject({ from: z.int() }),
  output: z.object({ count: z.int() }),
} as const

// `tsc` checks this file: each `@ts-expect-error` is an error if the line below it compiles.
test('a tool returns its output and takes its input', () => {
  const count = defineTool({ ...described, run: async ({ from }) => ({ count: from + 1 }) })
  expectTypeOf(count).toExtend<Tool>()
  // @ts-expect-error another shape
  defineTool({ ...described, run: async ({ from }) => ({ total: from + 1 }) })
  // @ts-expect-error a string for a number
  defineTool({ ...described, run: async ({ from }) => ({ count: String(from) }) })
  // @ts-expect-error a field that the input does not have
  defineTool({ ...described, run: async ({ to }) => ({ count: to }) })
})
