import { apiRoutes, describeInputFields, readOptions } from '@svc/operations'
import { z } from 'zod'
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

const { paths } = openapiDocument()

/** The operations of the API, with the statuses that its contract documents. */
export const operations: readonly Operation[] = apiRoutes.map((route): Operation => {
  const { method, path, operation } = route
  const options = operation.kind === 'read' ? describeInputFields({ input: z.object(readOptions) }) : {}
  const fields = Object.entries({ ...describeInputFields(operation), ...options })
  return {
    method: method === 'get' ? 'GET' : 'POST',
    path,
    fields: fields.map(([name]) => name),
    words: fields.filter(([, { type }]) => type === 'string').map(([name]) => name),
    good: listExamples(route).map(({ input }) => input),
    statuses: new Set(Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number)),
  }
})
