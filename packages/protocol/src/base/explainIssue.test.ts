import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { explainIssue, formatIssue } from './explainIssue.ts'

const schema = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(3)),
  size: z.optional(z.int().check(z.maximum(9))),
  kind: z.optional(z.enum(['big', 'small'])),
  notes: z.optional(z.record(z.string(), z.string())),
  list: z.optional(z.array(z.union([z.string(), z.object({ at: z.number() })])).check(z.maxLength(1_000))),
})

test.each([
  [{}, 'name is required: text.'],
  [{ name: 5 }, 'name must be text.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'long' }, 'name must have at most 3 characters.'],
  [{ name: 'a', size: 1.5 }, 'size must be a whole number.'],
  [{ name: 'a', size: 10 }, 'size must be at most 9.'],
  [{ name: 'a', kind: 'x' }, 'kind must be big or small.'],
  [{ name: 'a', list: [{ at: 'x' }] }, 'list.0 must be text.'],
  [{ name: 'a', more: 1 }, 'The input has an unknown field more.'],
  [{ name: 'a', notes: { first: 1 } }, 'notes.first must be text.'],
  [{ name: 'a', notes: { ['a'.repeat(3_000)]: 1 } }, 'notes must be text.'],
  [[], 'The input must be an object.'],
])('%j: %s', (given, sentence) => {
  const { error } = z.safeParse(schema, given, { error: explainIssue })
  expect(formatIssue(error?.issues[0])).toBe(sentence)
})
