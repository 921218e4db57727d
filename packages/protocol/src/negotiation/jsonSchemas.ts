import * as z from 'zod/mini'
import { markets } from '../base/market.ts'
import { nonce, payee, tokWei } from '../base/wire.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { envelope, envelopeVersion } from './envelope.ts'
import { fieldDescriptions } from './fieldDescriptions.ts'
import { kinds } from './messages/index.ts'
import { messageTypes } from './messageTypes.ts'

type Json = Record<string, unknown>

/**
 * Builds the JSON Schemas (2020-12) by file name: the envelope, and the payload of each kind of message. The schema of the
 * envelope refers to the others, so it validates a whole message. It cannot check hashes or hidden characters.
 */
export function buildJsonSchemas(): Record<string, Json> {
  const payloads = messageTypes.map((type) => addTitle(type, toSchema(kinds[type].payload)))
  return Object.fromEntries([
    addTitle('envelope', { ...toSchema(envelope), allOf: messageTypes.map(buildPayloadRule) }),
    ...payloads,
  ])
}

function addTitle(title: string, schema: Json): [string, Json] {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return [`${title}.json`, { $schema, $id: `${envelopeVersion}/${title}.json`, title, ...schema }]
}

const buildPayloadRule = (type: string): Json => ({
  if: { properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { payload: { $ref: `${type}.json` } } },
})

function toSchema(schema: z.ZodMiniType): Json {
  const patterns = codePatterns()
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const pattern = patterns.get(zodSchema)
      if (pattern) jsonSchema.pattern = pattern
      // The format is enough; zod adds its own pattern.
      if (jsonSchema.format) delete jsonSchema.pattern
      // Copies, because fields with the same zod schema share one object.
      jsonSchema.properties &&= Object.fromEntries(
        Object.entries(jsonSchema.properties).map(([name, property]) => {
          const description = fieldDescriptions[name]
          return [name, typeof property === 'object' && description ? { ...property, description } : property]
        }),
      )
      if (zodSchema !== envelope.shape.payload) return
      delete jsonSchema.propertyNames
      delete jsonSchema.additionalProperties
    },
  })
  return json
}

/** Patterns for scalars that are checked in code, as far as a pattern can express it. */
function codePatterns(): Map<unknown, string> {
  const decimal = '^(?:0|[1-9][0-9]{0,77})$'
  const wireTaskId = `^v2:(?:${markets.join('|')}):[1-9][0-9]{0,77}$`
  return new Map<unknown, string>([
    [payee, '^0x[0-9a-fA-F]{40}$'],
    [tokWei, decimal],
    [nonce, decimal],
    [taskId, wireTaskId],
    [envelope.shape.taskId, wireTaskId],
  ])
}
