import { buildSchemas, keepUsed } from './components.ts'
import { describeOperation } from './describeOperation.ts'
import { shareComponents } from './shareComponents.ts'
import type { OpenapiDocument, OpenapiOperation, OpenapiOptions } from './types.ts'

const additions =
  'Routes with `x-specification: false` are our additions: the service specification does not name them.'

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
      description: `${description}\n\n${additions}`,
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

/** Writes a document as YAML, with short lists and objects of plain values on one line. */
export async function formatOpenapi(document: OpenapiDocument): Promise<string> {
  // Loaded only now: most services never write a document.
  const { Document, isCollection, isPair, visit } = await import('yaml')
  const yaml = new Document(shareComponents(document), { aliasDuplicateObjects: false })
  visit(yaml, {
    Collection(_, node, path) {
      const isPlain = node.items.every((item) => !isCollection(isPair(item) ? item.value : item))
      const indent = 2 * path.filter(isCollection).length
      node.flow = isPlain && indent + JSON.stringify(node).length <= 120
    },
  })
  return yaml.toString({ lineWidth: 0 })
}
