import { apiRoutes, createQueryParser, describeInputFields, parseInput } from '@svc/operations'
import { describe, expect, test } from 'vitest'
import { buildExampleRequest, listExamples } from './examples.ts'
import { openapiDocument } from './openapi.ts'

interface Operation {
  operationId: string
  summary: string
  tags: readonly string[]
  parameters?: readonly { name: string; description?: string; schema: { type?: string; enum?: unknown } }[]
  requestBody?: {
    content: { 'application/json': { schema: { properties: Record<string, { description?: string }> } } }
  }
  responses: Readonly<Record<string, { description: string; content?: { 'application/json': { schema: object } } }>>
  'x-codeSamples': readonly object[]
}

const { paths, components, tags } = openapiDocument()

describe.each(apiRoutes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    const operation = paths[route.path]?.[route.method] as Operation

    test('has a name, a summary that is a sentence, and a tag that is declared', () => {
      expect(operation.operationId).toMatch(/^[a-z][a-zA-Z]+$/)
      expect(operation.summary).toMatch(/^[A-Z].{5,150}\.$/)
      for (const tag of operation.tags) expect(tags.map(({ name }) => name)).toContain(tag)
    })

    test('describes everything that it takes', () => {
      const { parameters = [], requestBody } = operation
      const properties = requestBody?.content['application/json'].schema.properties ?? {}
      const described = [
        ...parameters.map(({ name, description }) => [name, description]),
        ...Object.entries(properties).map(([name, { description }]) => [name, description]),
      ]
      for (const [name, description] of described) expect(description, name).toMatch(/^.{5,}\.$/s)
      for (const { name, schema } of parameters) expect(schema.type ?? schema.enum, name).toBeDefined()
    })

    test('has a schema for its answer and for each error, and at least one error of the client', () => {
      const statuses = Object.keys(operation.responses)
      expect(statuses.some((status) => status.startsWith('4'))).toBe(true)
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description, status).not.toBe('')
        if (status !== '304') expect(content?.['application/json'].schema, status).toBeDefined()
      }
    })

    test('has examples that it takes itself, without a name that it does not know', () => {
      expect(operation['x-codeSamples'].length).toBeGreaterThan(0)
      const fields = Object.keys(describeInputFields(route.operation))
      for (const example of listExamples(route)) {
        const { url, body } = buildExampleRequest(route, example)
        const query = createQueryParser(route.operation)(new URL(url, 'http://api').searchParams)
        const given = body === null ? query : JSON.parse(body)
        expect(fields, url).toEqual(expect.arrayContaining(Object.keys(given)))
        expect(() => parseInput(route.operation, given), url).not.toThrow()
      }
    })
  },
)

test('no schema is there for nothing', () => {
  const used = new Set(JSON.stringify({ paths, components }).match(/(?<="#\/components\/schemas\/)\w+/g))
  expect(Object.keys(components.schemas).sort()).toEqual([...used].sort())
})
