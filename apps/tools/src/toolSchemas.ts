import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

interface JsonSchema {
  [keyword: string]: unknown
  properties?: Readonly<Record<string, JsonSchema>>
}

/**
 * The input schema of a tool for clients. It accepts everything, because the tool validates its input itself and returns an error
 * with a next step.
 */
export const advertiseInput = rememberBySchema((schema) => advertise(toInputSchema(schema), (value) => ({ value })))

/**
 * The output schema of a tool for clients: an outline, because an agent sees the result itself, and docs/tools.md has the
 * rest. A result that does not match the whole schema is a bug and is not sent.
 */
export const advertiseOutput = rememberBySchema((schema) =>
  advertise(outlineSchema(toOutputSchema(schema)), (value) => schema['~standard'].validate(value)),
)

/** Over HTTP each request has a server of its own, and the schemas never change. */
function rememberBySchema<T>(build: (schema: z.ZodObject) => T): (schema: z.ZodObject) => T {
  const built = new WeakMap<z.ZodObject, T>()
  return (schema) => {
    const found = built.get(schema) ?? build(schema)
    built.set(schema, found)
    return found
  }
}

function advertise(
  json: JsonSchema,
  validate: StandardSchemaWithJSON<unknown, unknown>['~standard']['validate'],
): StandardSchemaWithJSON<unknown, unknown> {
  return { '~standard': { version: 1, vendor: 'svc', validate, jsonSchema: { input: () => json, output: () => json } } }
}

/** Converts the input of a tool to JSON Schema. */
export const toInputSchema = (schema: z.ZodObject) => toCompactSchema(schema, 'input')

/** Converts the output of a tool to JSON Schema. */
export const toOutputSchema = (schema: z.ZodObject) => toCompactSchema(schema, 'output')

const toCompactSchema = (schema: z.ZodObject, io: 'input' | 'output') =>
  compact(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as JsonSchema

/** Keywords that the error message explains when they matter. */
const omittedKeywords: ReadonlySet<string> = new Set([
  '$schema',
  'pattern',
  'format',
  'maxLength',
  'maxItems',
  'exclusiveMinimum',
  'minLength',
  'minimum',
  'minItems',
])

/** Removes keywords that an agent does not need, because it pays for every token. The tool still validates everything. */
function compact(schema: unknown, inForm = false, field = ''): unknown {
  if (Array.isArray(schema)) return schema.map((each) => compact(each, inForm))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([name, value]) =>
      !omittedKeywords.has(name) &&
      // The forms of many actions repeat the same few fields, whose names say enough. "Market." adds nothing to `market`.
      !(name === 'description' && typeof value === 'string' && (inForm || value.toLowerCase() === `${field}.`)) &&
      // An unknown field is refused with an error that names it.
      !(name === 'additionalProperties' && (value === false || isEmpty(value))) &&
      // A field that may be left out is empty then.
      !((name === 'properties' || name === 'default') && isEmpty(value)) &&
      !(typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER),
  )
  const isForm = 'title' in schema && typeof schema.title === 'string'
  return Object.fromEntries(
    entries.map(([name, value]) =>
      // Some clients accept only a single type per schema.
      name === 'type' && Array.isArray(value)
        ? ['anyOf', value.map((type) => ({ type }))]
        : [name, compact(value, inForm || isForm, name)],
    ),
  )
}

/** Keeps the names of the fields that every result has. */
const outlineSchema = ({ type, required }: JsonSchema): JsonSchema => ({ type, required })

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
