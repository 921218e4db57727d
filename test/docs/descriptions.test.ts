import { describeActionInput, errorJson, gatewayErrorJson, operations, paymentRequiredJson } from '@svc/operations'
import { type ActionName, actions } from '@svc/protocol/actions'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '../../apps/tools/src/tools/index.ts'

type JsonSchema = z.core.JSONSchema._JSONSchema

/** Lists the properties of a schema, at any depth, as `path` and whether they have a description. */
function listProperties(schema: z.core.$ZodType, io: 'input' | 'output'): { path: string; isDescribed: boolean }[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const visit = (node: JsonSchema | undefined, path: string): { path: string; isDescribed: boolean }[] => {
    if (typeof node !== 'object') return []
    const { properties = {}, items = [], anyOf = [], oneOf = [], allOf = [], additionalProperties } = node
    return [
      ...Object.entries(properties).flatMap(([name, each]) => [
        { path: `${path}.${name}`, isDescribed: isDescribed(each) },
        ...visit(each, `${path}.${name}`),
      ]),
      ...[items, anyOf, oneOf, allOf].flat().flatMap((each) => visit(each, path)),
      ...visit(additionalProperties, path),
    ]
  }
  const isDescribed = (node: JsonSchema): boolean => {
    if (typeof node !== 'object') return false
    if (node.description) return true
    // A reference counts if what it names is described.
    const name = node.$ref?.replace('#/$defs/', '')
    return name !== undefined && root.$defs?.[name] !== undefined && isDescribed(root.$defs[name])
  }
  return [...visit(root, ''), ...Object.values(root.$defs ?? {}).flatMap((each) => visit(each, ''))]
}

function expectDescribed(schema: z.core.$ZodType, io: 'input' | 'output') {
  const bare = listProperties(schema, io).filter(({ isDescribed }) => !isDescribed)
  expect(bare.map(({ path }) => path)).toEqual([])
}

test('a property without a description is found at any depth', () => {
  const inner = z.object({ kept: z.string().describe('Kept.'), bare: z.string() })
  const schema = z.object({ list: z.array(z.nullable(inner)).describe('A list.') })
  expect(listProperties(schema, 'input').filter(({ isDescribed }) => !isDescribed)).toEqual([
    { path: '.list.bare', isDescribed: false },
  ])
})

test.each(Object.entries(operations))('every field of operation %s has a description', (_, { input, output }) => {
  expectDescribed(input, 'input')
  expectDescribed(output, 'input')
})

test.each(Object.entries({ errorJson, gatewayErrorJson, paymentRequiredJson }))(
  'every field of %s has a description',
  (_, schema) => {
    expectDescribed(schema, 'input')
  },
)

test.each(Object.keys(actions) as ActionName[])('every input field of action %s has a description', (name) => {
  const schema = describeActionInput(name)
  expect(Object.keys(schema.shape)).toEqual(Object.keys(actions[name].input.shape))
  expectDescribed(schema, 'input')
})

test.each(tools.map((tool) => [tool.name, tool] as const))('every field of tool %s has a description', (_, tool) => {
  expectDescribed(tool.input, 'input')
  expectDescribed(tool.output, 'output')
})
