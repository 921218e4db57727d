import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * The input of a tool as clients see it. Nothing is refused here: the tool itself reads its input, so that a mistake comes
 * back as an error like every other, with a way out.
 */
export function advertisedInput(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  return advertised(schema, 'input', (value) => ({ value }))
}

/** The output of a tool as clients see it; an answer of another form is a fault of ours, and is not sent. */
export function advertisedOutput(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  return advertised(schema, 'output', (value) => schema['~standard'].validate(value))
}

function advertised(
  schema: z.ZodObject,
  io: 'input' | 'output',
  validate: StandardSchemaWithJSON<unknown, unknown>['~standard']['validate'],
): StandardSchemaWithJSON<unknown, unknown> {
  const json = () => (io === 'input' ? inputSchema : outputSchema)(schema)
  return { '~standard': { version: 1, vendor: 'svc', validate, jsonSchema: { input: json, output: json } } }
}

/** The JSON Schema that a tool's input is advertised with. */
export const inputSchema = (schema: z.ZodObject) => schemaOf(schema, 'input')

/** The JSON Schema that a tool's output is advertised with. */
export const outputSchema = (schema: z.ZodObject) => schemaOf(schema, 'output')

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output') =>
  compact(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as JsonSchema

/** What the error says when it matters. */
const told: ReadonlySet<string> = new Set(['$schema', 'pattern', 'format', 'maxLength', 'maxItems', 'exclusiveMinimum'])

/** Without what says nothing to an agent, who pays for each word of it: the tool still refuses what it must. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([name, value]) =>
      !told.has(name) &&
      !(name === 'additionalProperties' && isEmpty(value)) &&
      !(name === 'properties' && isEmpty(value)) &&
      !(typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, compact(value)]))
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
