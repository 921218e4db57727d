import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Node, parseSyntax, rangeOf, walk } from '../../scripts/mutate/ast.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Lists what the NatSpec of a source lacks: a notice, a parameter or a return value of something that can be called. */
function listGaps(tree: Node, source: string): string[] {
  const contracts = [...walk(tree)].filter(({ nodeType }) => nodeType === 'ContractDefinition')
  return contracts.flatMap((contract) =>
    (contract.nodes as Node[])
      .filter(isCallable)
      .flatMap((node) =>
        listGapsOf(node, readComment(source, node)).map((gap) => `${contract.name}.${node.name} lacks ${gap}`),
      ),
  )
}

function isCallable({ nodeType, kind, visibility }: Node): boolean {
  const isOpen = visibility === 'external' || visibility === 'public'
  return isOpen && (nodeType === 'VariableDeclaration' || (nodeType === 'FunctionDefinition' && kind === 'function'))
}

/** The `///` lines above a node. The parser alone attaches none to variables. */
function readComment(source: string, node: Node): string {
  const [start] = rangeOf(node)
  const above = Buffer.from(source).subarray(0, start).toString().trimEnd().split('\n')
  const first = above.findLastIndex((line) => !line.trimStart().startsWith('///')) + 1
  return above
    .slice(first)
    .map((line) => line.trimStart().slice('///'.length))
    .join('\n')
}

function listGapsOf(node: Node, text: string): string[] {
  // Inherited from an interface, which is checked itself.
  if (/^\s*@inheritdoc\b/m.test(text)) return []
  const notice = /^\s*(?:@notice\b|[^@\s])/.test(text) ? [] : ['@notice']
  // The notice of a public variable already says what it returns.
  if (node.nodeType === 'VariableDeclaration') return notice
  const namesOf = (list: unknown) => (list as { parameters: Node[] }).parameters.map(({ name }) => String(name))
  const params = namesOf(node.parameters).filter((name) => !new RegExp(`^\\s*@param ${name} \\S`, 'm').test(text))
  const returned = [...text.matchAll(/^\s*@return (\S+)(?: \S)?/gm)].map(([, word]) => word)
  const results = namesOf(node.returnParameters)
  // A named value is documented by name, the others by their number.
  const missing = results.filter((name, i) => (name ? !returned.includes(name) : i >= returned.length))
  return [...notice, ...params.map((name) => `@param ${name}`), ...missing.map((name) => `@return ${name}`.trim())]
}

test('finds what is missing', () => {
  const source = `contract Vault {
    /// @notice How much there is.
    uint256 public total;
    uint256 public bare;
    /// @notice Pays.
    /// @param amount How much.
    /// @return Whether it was paid.
    function pay(address to, uint256 amount) external returns (bool, uint256 left) {}
    /// @dev Nothing for users.
    function close() external {}
    function hidden(uint256 amount) internal {}
}`
  const [tree] = parseSyntax({ 'Vault.sol': source }).values()
  expect(tree && listGaps(tree, source)).toEqual([
    'Vault.bare lacks @notice',
    'Vault.pay lacks @param to',
    'Vault.pay lacks @return left',
    'Vault.close lacks @notice',
  ])
})

test('everything that can be called has a notice, and each parameter and return value its description', () => {
  const checked = globSync('contracts/src/**/*.sol', { cwd: root }).sort()
  const sources = new Map(checked.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const trees = parseSyntax(Object.fromEntries(sources))
  expect([...trees.keys()].sort()).toEqual(checked)
  const gaps = [...trees].flatMap(([file, tree]) =>
    listGaps(tree, sources.get(file) ?? '').map((gap) => `${file}: ${gap}`),
  )
  expect(gaps).toEqual([])
})
