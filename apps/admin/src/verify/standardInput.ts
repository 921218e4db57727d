import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const remapped = '@openzeppelin/contracts/'
const remapping = `${remapped}=node_modules/${remapped}`

/** The settings of `foundry.toml`; a test compiles every contract with them and compares the bytecode. */
const settings = {
  remappings: [remapping],
  optimizer: { enabled: true, runs: 200 },
  metadata: { useLiteralContent: false, bytecodeHash: 'none', appendCBOR: true },
  evmVersion: 'prague',
  viaIR: false,
  libraries: {},
} as const

/** A standard JSON input of solc. */
export interface StandardInput {
  language: 'Solidity'
  sources: Record<string, { content: string }>
  settings: typeof settings & { outputSelection: Record<string, Record<string, readonly string[]>> }
}

/** Builds the input that compiles one source and nothing else. */
export async function buildStandardInput(source: string): Promise<StandardInput> {
  const sources: StandardInput['sources'] = {}
  const waiting = [source]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources[path]) continue
    const content = await readFile(join(root, path), 'utf8')
    sources[path] = { content }
    for (const [, imported = ''] of content.matchAll(/^import\s[^;]*?["']([^"']+)["'];/gm))
      waiting.push(resolveImport(path, imported))
  }
  const sorted = Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    language: 'Solidity',
    sources: sorted,
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'metadata'] } },
    },
  }
}

/** Resolves an import as solc does: relative to its file, or by the remapping. */
const resolveImport = (from: string, imported: string): string =>
  imported.startsWith('.')
    ? posix.join(dirname(from), imported)
    : imported.replace(remapped, `node_modules/${remapped}`)
