import { buildSchemas, keepUsed } from './components.ts'
import { describeOperation } from './describeOperation.ts'
import type { OpenapiDocument, OpenapiOperation, OpenapiOptions } from './types.ts'

/** Builds the OpenAPI document of a service from its routes. */
export function buildOpenapi(options: OpenapiOptions): OpenapiDocument {
  const { title, description, server, routes, tags } = options
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: describeOperation(route, options) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version: '2.0.0',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The maintainers of Task Market' },
    },
    servers: [{ url: '/', description: server }],
    security: [],
    tags: Object.entries(tags)
      .filter(([name]) => routes.some(({ operation }) => operation.tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: keepUsed(buildSchemas(options), paths) },
  }
}
