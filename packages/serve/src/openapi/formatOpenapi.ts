import { shareComponents } from './shareComponents.ts'
import type { OpenapiDocument } from './types.ts'

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
