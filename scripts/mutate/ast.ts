import { createRequire } from 'node:module'

/** A node of the compiler's syntax tree, with types resolved. */
export interface Node {
  nodeType: string
  src: string
  id: number
  typeDescriptions?: { typeString?: string }
  [key: string]: unknown
}

type ImportReader = (path: string) => { contents: string } | { error: string }

interface SolcOutput {
  errors?: readonly { severity: string; formattedMessage: string }[]
  sources?: Record<string, { ast?: Node }>
  contracts?: Record<string, Record<string, { evm: { bytecode: SolcBytecode; deployedBytecode: SolcBytecode } }>>
}

interface SolcBytecode {
  object: string
  linkReferences: unknown
}

const solc = createRequire(import.meta.url)('solc') as {
  compile: (input: string, callbacks: { import: ImportReader }) => string
}

/** Compiles sources in this process, which is faster than starting forge: no optimizer, and only the outputs asked for. */
export function compileSources(
  sources: Readonly<Record<string, string>>,
  outputSelection: Record<string, Record<string, readonly string[]>>,
  readImport: ImportReader,
  stopAfter?: 'parsing',
): SolcOutput {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: 'prague',
      metadata: { bytecodeHash: 'none' },
      remappings: ['@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/'],
      outputSelection,
      stopAfter,
    },
  }
  return JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
}

/**
 * Returns the syntax tree of each source, with types resolved: all they import must be there. Throws the compiler's message
 * for a source that does not compile.
 */
export const parseSources = (
  sources: Readonly<Record<string, string>>,
  readImport: ImportReader = (path) => ({ error: `${path} not found` }),
): Map<string, Node> => readTrees(sources, readImport)

/** The same without types and imports, which is much faster. */
export const parseSyntax = (sources: Readonly<Record<string, string>>): Map<string, Node> =>
  readTrees(sources, () => ({ contents: '' }), 'parsing')

function readTrees(
  sources: Readonly<Record<string, string>>,
  readImport: ImportReader,
  stopAfter?: 'parsing',
): Map<string, Node> {
  const wanted = Object.fromEntries(Object.keys(sources).map((path) => [path, { '': ['ast'] }]))
  const output = compileSources(sources, wanted, readImport, stopAfter)
  const fatal = output.errors?.find(({ severity }) => severity === 'error')
  if (fatal) throw new Error(fatal.formattedMessage)
  return new Map(Object.entries(output.sources ?? {}).flatMap(([path, { ast }]) => (ast ? [[path, ast]] : [])))
}

/** Where the node starts and ends, in bytes, as the compiler counts. */
export function rangeOf(node: Node): [start: number, end: number] {
  const [start = 0, length = 0] = node.src.split(':').map(Number)
  return [start, start + length]
}

/** The node's children in the order of the compiler's fields. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'nodeType' in value)
}

/** The node and everything below it. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}
