import { examplesOf } from '../../apps/api/src/contract/examples.ts'
import { openapiDocument } from '../../apps/api/src/contract/openapi.ts'
import { routes } from '../../apps/api/src/routes/index.ts'

/** An operation of the contract, as much of it as requests and verdicts need. */
export interface Operation {
  method: 'GET' | 'POST'
  path: string
  /** Names of what it takes, in the query or in the body. */
  fields: readonly string[]
  /** Those of them that take words. */
  words: readonly string[]
  /** Inputs that are known to be good. */
  good: readonly Readonly<Record<string, unknown>>[]
  /** The statuses that the contract has for it. */
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

/** The operations of our own contract. */
export const operations: readonly Operation[] = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]): Operation => {
    const { parameters = [], requestBody, responses } = documented as Documented
    const fields = requestBody
      ? Object.entries(requestBody.content['application/json'].schema.properties)
      : parameters.map(({ name, schema }) => [name, schema] as const)
    const route = routes.find((each) => each.path === path)
    return {
      method: method.toUpperCase() as Operation['method'],
      path,
      fields: fields.map(([name]) => name),
      words: fields.filter(([, { type }]) => type === 'string').map(([name]) => name),
      good: route ? examplesOf(route).map(({ input }) => input) : [],
      statuses: new Set(Object.keys(responses).map(Number)),
    }
  }),
)
