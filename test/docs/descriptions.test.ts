import { describeActionInput, errorJson, gatewayErrorJson, operations, paymentRequiredJson } from '@svc/operations'
import { type ActionName, actions } from '@svc/protocol/actions'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '../../apps/tools/src/tools/index.ts'

type JsonSchema = z.core.JSONSchema._JSONSchema

interface Property {
  path: string
  isDescribed: boolean
  description: string
}

/** Lists the properties of a schema, at any depth, with their descriptions. */
function listProperties(schema: z.core.$ZodType, io: 'input' | 'output'): Property[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const visit = (node: JsonSchema | undefined, path: string): Property[] => {
    if (typeof node !== 'object') return []
    const { properties = {}, items = [], anyOf = [], oneOf = [], allOf = [], additionalProperties } = node
    return [
      ...Object.entries(properties).flatMap(([name, each]) => [
        { path: `${path}.${name}`, isDescribed: isDescribed(each), description: getDescription(each) },
        ...visit(each, `${path}.${name}`),
      ]),
      ...[items, anyOf, oneOf, allOf].flat().flatMap((each) => visit(each, path)),
      ...visit(additionalProperties, path),
    ]
  }
  const getDescription = (node: JsonSchema) => (typeof node === 'object' ? (node.description ?? '') : '')
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
  expect(listProperties(schema, 'input').filter(({ isDescribed }) => !isDescribed)).toMatchObject([
    { path: '.list.bare' },
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

test('S11: the name of an amount ends in its unit', () => {
  const all = [
    ...Object.values(operations).flatMap(({ input, output }) => [input, output]),
    ...(Object.keys(actions) as ActionName[]).map(describeActionInput),
  ].flatMap((schema) => listProperties(schema, 'input'))
  const amounts = all.filter(
    ({ path, description }) => /(?:Wei|Usdc|Units)$/.test(path) && !path.includes('.words.') && description,
  )
  expect(amounts.length).toBeGreaterThan(50)
  const isWrong = ({ path, description }: Property) =>
    path.endsWith('Wei')
      ? /USDC|unit of/.test(description) || !/wei/i.test(description)
      : !/USDC|smallest unit of/.test(description) || /\bwei\b/.test(description)
  expect(amounts.filter(isWrong).map(({ path, description }) => `${path}: ${description}`)).toEqual([])
})
