import * as z from 'zod/mini'
import { markets } from '../market.ts'
import { taskId } from '../taskId.ts'
import { nonce, payee, tokWei } from '../wire.ts'
import { envelope, envelopeVersion } from './envelope.ts'
import { kinds } from './messages/index.ts'
import { messageTypes } from './messageTypes.ts'

type Json = Record<string, unknown>

/**
 * The JSON Schemas (2020-12) by file name: the envelope, and the payload of each kind of message. The envelope's refers to the
 * others, so that one check with it checks a message. What only code can check (hashes, clean words) they let pass.
 */
export function jsonSchemas(): Record<string, Json> {
  const payloads = messageTypes.map((type) => titled(type, schemaOf(kinds[type].payload)))
  return Object.fromEntries([
    titled('envelope', { ...schemaOf(envelope), allOf: messageTypes.map(payloadOf) }),
    ...payloads,
  ])
}

function titled(title: string, schema: Json): [string, Json] {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return [`${title}.json`, { $schema, $id: `${envelopeVersion}/${title}.json`, title, ...schema }]
}

const payloadOf = (type: string): Json => ({
  if: { properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { payload: { $ref: `${type}.json` } } },
})

function schemaOf(schema: z.ZodMiniType): Json {
  const patterns = codePatterns()
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const pattern = patterns.get(zodSchema)
      if (pattern) jsonSchema.pattern = pattern
      // The format is the rule; zod adds a pattern of its own.
      if (jsonSchema.format) delete jsonSchema.pattern
      if (zodSchema !== envelope.shape.payload) return
      delete jsonSchema.propertyNames
      delete jsonSchema.additionalProperties
    },
  })
  return json
}

/** What some scalars check in code, as far as a pattern can say it. */
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
