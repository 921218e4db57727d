import { actionList } from '@svc/protocol/actions'
import { explainIssue, formatIssue } from '@svc/protocol/internal/base'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { operations } from './operations.ts'
import { describeInputFields } from './query.ts'

const wrong: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e30,
  '',
  'x',
  'x'.repeat(10_000),
  [],
  [5],
  {},
  { x: 1 },
]

/** What validators say about themselves, not about the value. */
const jargon =
  /received|invalid input|invalid (?:option|type|format|element|key|string)|too (?:big|small)|undefined|NaN|regex|pattern|ZodError/i

const inputs: [string, z.core.$ZodType][] = [
  ...Object.values(operations).map(({ name, input }): [string, z.core.$ZodType] => [name, input]),
  ...actionList.map(({ name, input }): [string, z.core.$ZodType] => [`prepare ${name}`, input]),
]

test.each(inputs)('S11: %s says in plain words what each field must be', (_, input) => {
  for (const field of Object.keys(describeInputFields({ input }))) {
    for (const value of wrong) {
      const given = { [field]: value }
      const { error } = z.safeParse(input, given, { error: explainIssue })
      for (const issue of error?.issues ?? []) {
        const message = formatIssue(issue)
        expect(message, JSON.stringify(given).slice(0, 100)).not.toMatch(jargon)
        expect(message).toMatch(/^.{8,900}\.$/s)
        const names = issue.path.length > 0 ? issue.path.map(String) : ['input', field]
        expect(
          names.some((name) => message.includes(name)),
          `"${message}" names ${names}`,
        ).toBe(true)
      }
    }
  }
})
