import { apiRoutes } from '@svc/operations'
import { listExamples } from '../../apps/api/src/contract/examples.ts'
import { openapiDocument } from '../../apps/api/src/contract/openapi.ts'

/** The part of an API operation that requests and checks need. */
export interface Operation {
  method: 'GET' | 'POST'
  path: string
  /** Names of its fields, in the query or in the body. */
  fields: readonly string[]
  /** The fields that take text. */
  words: readonly string[]
  /** Valid inputs. */
  good: readonly Readonly<Record<string, unknown>>[]
  /** The documented statuses. */
  statuses: ReadonlySet<number>
}

interface Field {
  type?: string
}

interface Documented {
  parameters?: readonly { name: string; schema: Field }[]
  requestBody?: { content: { 'application/json': { schema: { properties: Record<string, Field> } } } }
  responses: Readonly<Record<string, unknown>>
}

/** The operations of the API, from its OpenAPI document. */
export const operations: readonly Operation[] = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]): Operation => {
    const { parameters = [], requestBody, responses } = documented as Documented
    const fields = requestBody
      ? Object.entries(requestBody.content['application/json'].schema.properties)
      : parameters.map(({ name, schema }) => [name, schema] as const)
    const route = apiRoutes.find((each) => each.path === path)
    return {
      method: method.toUpperCase() as Operation['method'],
      path,
      fields: fields.map(([name]) => name),
      words: fields.filter(([, { type }]) => type === 'string').map(([name]) => name),
      good: route ? listExamples(route).map(({ input }) => input) : [],
      statuses: new Set(Object.keys(responses).map(Number)),
    }
  }),
)
