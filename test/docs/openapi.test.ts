import { readFileSync } from 'node:fs'
import {
  apiRoutes,
  createQueryParser,
  describeInputFields,
  gatewayRoutes,
  notifyRoutes,
  paidRoutes,
  parseInput,
  storeRoutes,
  streamData,
} from '@svc/operations'
import { actionList } from '@svc/protocol/actions'
import { buildExampleRequest, formatOpenapi, type JsonSchema } from '@svc/serve'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listExamples } from '../../apps/api/src/contract/examples.ts'
import { listGatewayExamples } from '../../apps/gateway/src/contract/examples.ts'
import { listNotifierExamples } from '../../apps/notifier/src/contract/examples.ts'
import { listStoreExamples } from '../../apps/store/src/contract/examples.ts'
import { documents, formatDerivedFiles } from '../../scripts/gen/openapi.ts'

const services = [
  { app: 'api', routes: apiRoutes, examplesOf: listExamples },
  { app: 'gateway', routes: [...gatewayRoutes, ...paidRoutes], examplesOf: listGatewayExamples },
  { app: 'store', routes: storeRoutes, examplesOf: listStoreExamples },
  { app: 'notifier', routes: notifyRoutes, examplesOf: listNotifierExamples },
] as const

const sentence = /^[A-Z0-9`].+\.$/s

/** Visits every object of a document, with its path. */
function* walk(value: unknown, path = '#'): Generator<[path: string, node: Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [name, each] of Object.entries(value)) yield* walk(each, `${path}/${name}`)
}

/** Finds what a reference leads to. */
const resolve = ($ref: string, document: object): unknown =>
  $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)

/** Returns a document without references to parameters, headers and responses. Examples of parameters are left out. */
function inline(node: unknown, document: object): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => inline(each, document))
  const { $ref, example, ...rest } = node as { $ref?: string; example?: unknown }
  if ($ref && !$ref.startsWith('#/components/schemas/')) return inline(resolve($ref, document), document)
  return Object.fromEntries(Object.entries({ ...rest, $ref }).map(([name, each]) => [name, inline(each, document)]))
}

/** Lists the properties, parameters and headers that have no description, at any depth. */
function listUndescribed(document: object): string[] {
  const text = (node: unknown): unknown => {
    const { description, $ref } = node as { description?: unknown; $ref?: string }
    return description !== undefined || $ref === undefined ? description : text(resolve($ref, document))
  }
  return [...walk(document)].flatMap(([path, { properties, parameters, headers }]) =>
    // An example may have a field with one of these names.
    [properties, parameters, headers].flatMap((group) =>
      typeof group !== 'object' || path.includes('/examples/')
        ? []
        : Object.entries(group ?? {}).flatMap(([name, node]) =>
            sentence.test(String(text(node) ?? '')) ? [] : [`${path}/${name}`],
          ),
    ),
  )
}

test('a property without a description is found, also behind a reference', () => {
  const schemas = {
    A: {
      properties: {
        b: { $ref: '#/components/schemas/B' },
        c: { type: 'array', description: 'All.', items: { properties: { d: {} } } },
      },
    },
    B: { description: 'A thing.' },
  }
  expect(listUndescribed({ components: { schemas } })).toEqual(['#/components/schemas/A/properties/c/items/d'])
})

test('the contract of the API and the list of routes are those that `pnpm gen` writes', async () => {
  for (const [file, text] of Object.entries(await formatDerivedFiles())) {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8') === text, file).toBe(true)
  }
})

describe.each(services)('document of $app', ({ app, routes, examplesOf }) => {
  const document = documents[app]
  const { paths, components, tags } = document
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

  test('has every route, each under a name of its own', () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual(routes.map(({ operation }) => operation.name))
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  })

  test('describes every schema, property, parameter and header', () => {
    expect(listUndescribed(document)).toEqual([])
    expect(
      Object.entries(components.schemas).filter(([, { description }]) => !sentence.test(String(description))),
    ).toEqual([])
  })

  test('is written with every usual error once, and says the same as in memory', async () => {
    const written = parse(await formatOpenapi(document))
    const used = new Set(JSON.stringify(written).match(/(?<="#\/components\/)\w+\/[\w-]+/g))
    const named = Object.entries<object>(written.components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    )
    expect([...used].sort()).toEqual(named.sort())
    expect(JSON.stringify(written.paths)).not.toMatch(/`(?:METHOD_NOT_ALLOWED|URL_TOO_LONG|INTERNAL)`/)
    const { components: shared, ...same } = written
    const whole = { ...same, components: { schemas: shared.schemas } }
    expect(inline(whole, written)).toEqual(inline(JSON.parse(JSON.stringify(document)), written))
  })

  test('every operation has a summary, a declared tag, and schemas for its answer and its errors', () => {
    for (const { summary, description, operationId, tags: own, responses } of operations) {
      expect(summary, operationId).toMatch(/^[A-Z].{5,150}\.$/)
      expect(description, operationId).toMatch(sentence)
      for (const tag of own) expect(tags.map(({ name }) => name)).toContain(tag)
      expect(
        Object.keys(responses).some((status) => status.startsWith('4')),
        operationId,
      ).toBe(true)
      for (const [status, { content }] of Object.entries(responses)) {
        if (status !== '304') expect(content?.['application/json'].schema, `${operationId} ${status}`).toBeDefined()
      }
    }
  })

  test('every example matches its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components })
    const validate = (schema: JsonSchema, value: unknown, place: string) => {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
      const check = ajv.compile(local)
      check(value)
      expect(check.errors ?? [], place).toEqual([])
    }
    let count = 0
    for (const [place, { schema, example, examples }] of walk(document)) {
      if (example !== undefined) validate(schema as JsonSchema, example, `${place} ${++count}`)
      for (const { value } of Object.values((examples ?? {}) as Record<string, { value: unknown }>)) {
        validate(schema as JsonSchema, value, `${place} ${++count}`)
      }
    }
    expect(count).toBeGreaterThan(5)
  })

  test('every route has an example that it accepts', () => {
    for (const route of routes) {
      expect(examplesOf(route).length, route.path).toBeGreaterThan(0)
      for (const example of examplesOf(route)) {
        const { url, body } = buildExampleRequest(route, example)
        const query = createQueryParser(route.operation)(new URL(url, 'http://api').searchParams)
        const given = { ...query, ...(body !== null && JSON.parse(body)), ...readPath(route.path, url) }
        const fields = Object.keys(describeInputFields(route.operation))
        expect(fields, url).toEqual(expect.arrayContaining(Object.keys(given)))
        expect(() => parseInput(route.operation, given), url).not.toThrow()
      }
    }
  })

  test.skipIf(app === 'store' || app === 'notifier')(
    'the input of every action is a case of the body that prepares it',
    () => {
      const cases = operations.flatMap(({ requestBody }) =>
        listCases(requestBody?.content['application/json'].schema ?? {}),
      )
      expect(cases.map(({ field, value }) => [field, value])).toEqual(actionList.map(({ name }) => ['action', name]))
      for (const { value, name } of cases) {
        const { properties } = components.schemas[name] as { properties: Readonly<Record<string, JsonSchema>> }
        expect(properties).toMatchObject({ action: { const: value }, input: { $ref: expect.stringMatching(/Input$/) } })
      }
    },
  )
})

/** Lists the cases of a schema that the value of a field decides. */
function listCases({ discriminator }: JsonSchema): { field: string; value: string; name: string }[] {
  const { propertyName: field = '', mapping = {} } = (discriminator ?? {}) as {
    propertyName?: string
    mapping?: Readonly<Record<string, string>>
  }
  return Object.entries(mapping).map(([value, $ref]) => ({
    field,
    value,
    name: $ref.replace('#/components/schemas/', ''),
  }))
}

/** Reads the parameters in the path of a URL. */
function readPath(path: string, url: string): Readonly<Record<string, string>> {
  const names = path.split('/')
  const values = new URL(url, 'http://api').pathname.split('/')
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(values[index] ?? '')]] : [],
    ),
  )
}

test('the event stream is a media type of its route, with a schema for each message', () => {
  const { paths, components } = documents.api
  const { parameters, responses } = paths['/api/market/events']?.get ?? {}
  const answer = responses?.[200]
  const messages = listCases((answer?.content?.['text/event-stream']?.schema.items ?? {}) as JsonSchema)
  expect(messages.map(({ value }) => value)).toEqual(Object.keys(streamData))
  for (const { name } of messages) expect(components.schemas).toHaveProperty(name)
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }))
  expect(answer?.description).toMatch(/15 seconds.+3,600 seconds.+1,000 streams/s)
})

test.each([
  ['/v1/tasks/{id}/claim', 'post'],
  ['/v1/discovery/open', 'get'],
])('%s documents the headers of x402', (path, method) => {
  const { parameters, responses } = documents.gateway.paths[path]?.[method] ?? {}
  expect(parameters?.map(({ name }) => name)).toContain('PAYMENT-SIGNATURE')
  expect(responses?.[402]?.headers).toHaveProperty('PAYMENT-REQUIRED')
  expect(responses?.[200]?.headers).toHaveProperty('PAYMENT-RESPONSE')
})
