import type { JsonSchema } from '@svc/serve'
import { openapiDocument } from '../../apps/api/src/contract/openapi.ts'

/** The contract that the API serves. */
export const contract = openapiDocument()

/** A schema of the contract without its descriptions, its references resolved. */
export function readSchema(name: string): JsonSchema & { properties: Record<string, JsonSchema> } {
  const schema = (contract.components.schemas as Readonly<Record<string, unknown>>)[name]
  if (!schema) throw new Error(`The contract has no schema ${name}.`)
  return simplify(schema) as ReturnType<typeof readSchema>
}

/** The operation at a path, such as `GET /api/market/open`. */
export function readOperation(endpoint: string) {
  const [method = '', path = ''] = endpoint.split(' ')
  const operation = contract.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`The contract has no ${endpoint}.`)
  return operation
}

/** What a route takes, by name: its schema, and whether it is required. */
export function readParameters(endpoint: string): Record<string, JsonSchema & { required: boolean }> {
  const { parameters = [], requestBody } = readOperation(endpoint)
  const body = requestBody?.content['application/json'].schema
  const required = (body?.required ?? []) as readonly string[]
  return Object.fromEntries([
    ...parameters.map((each) => [each.name, { ...plain(each.schema), required: each.required }]),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => [
      name,
      { ...plain(schema), required: required.includes(name) },
    ]),
  ])
}

/** The schema of a successful answer. */
export function readAnswerSchema(endpoint: string): ReturnType<typeof readSchema> {
  const { $ref } = readOperation(endpoint).responses[200]?.content?.['application/json'].schema ?? {}
  return readSchema(String($ref).replace('#/components/schemas/', ''))
}

const plain = (schema: JsonSchema) => simplify(schema) as JsonSchema

function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) return readSchema(String(node.$ref).replace('#/components/schemas/', ''))
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      key === 'description' && typeof value === 'string' ? [] : [[key, simplify(value)]],
    ),
  )
}
