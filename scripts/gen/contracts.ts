import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forge } from '../run.ts'
import {
  type Artifact,
  declaresContract,
  renderAbiIndex,
  renderAbiModule,
  renderCreationModule,
  renderSignatureModule,
  toCamelCase,
} from './artifact.ts'
import { writeDerived } from './writeDerived.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sourceDir = 'contracts/src/'
const outDir = 'contracts/out'
const abiDir = 'packages/protocol/src/abis'
const listedAbiDir = 'packages/devnet/src/abis'
// Not in the protocol package: browsers load it, and only deployments need bytecode.
const creationDir = 'packages/devnet/src/creations'

/**
 * Contracts outside contracts/src that are deployed or called nonetheless, as `<source path>:<name>`:
 * test doubles of the local chain, or contracts taken unchanged from a dependency.
 */
const listed: readonly string[] = [
  'node_modules/@openzeppelin/contracts/governance/TimelockController.sol:TimelockController',
  'contracts/test/mocks/BatchPoster.sol:BatchPoster',
  'contracts/test/mocks/MockWallet.sol:MockWallet',
  'contracts/test/mocks/MockFeed.sol:MockFeed',
  'contracts/test/mocks/MockUSDC.sol:MockUSDC',
  'contracts/test/mocks/Multicall3.sol:Multicall3',
]

/** Compiles the contracts, writes the ABI and creation bytecode of each deployable one, and removes leftovers. */
export async function genContracts(): Promise<void> {
  const { exitCode } = await forge(['build', '--skip', 'test'], 'default')
  if (exitCode !== 0) throw new Error('forge build failed')

  const artifacts = await readArtifacts()
  const own = artifacts.filter(({ source }) => source.startsWith(sourceDir))
  const mocks = artifacts.filter(isMock)
  const deployed = artifacts.filter((artifact) => !isMock(artifact))
  const dependencies = deployed.filter((artifact) => !own.includes(artifact))
  await writeDir(
    join(root, abiDir),
    new Map([
      ...own.map((artifact) => [`${toCamelCase(artifact.name)}.ts`, renderSignatureModule(artifact)] as const),
      ['index.ts', renderAbiIndex(own)],
    ]),
  )
  const abis = new Map(dependencies.map((each) => [`${toCamelCase(each.name)}.ts`, renderAbiModule([each])]))
  await writeDir(join(root, listedAbiDir), abis.set('mocks.ts', renderAbiModule(mocks)))
  await writeDir(
    join(root, creationDir),
    new Map([
      ['suite.ts', renderCreationModule(deployed)],
      ['mocks.ts', renderCreationModule(mocks)],
    ]),
  )
  console.log(`${artifacts.length} contracts -> ${abiDir}, ${listedAbiDir}, ${creationDir}`)
}

/** A test double of the local chain. */
const isMock = ({ source }: Artifact) => source.startsWith('contracts/test/')

/** Reads the artifacts to write, by name. Forge keeps artifacts of deleted sources, so a source must still declare its contract. */
async function readArtifacts(): Promise<Artifact[]> {
  const found = new Map<string, Artifact>()
  const missing = new Set(listed)
  for await (const file of glob(`${outDir}/**/*.json`, { cwd: root, exclude: [`${outDir}/build-info`] })) {
    const json = JSON.parse(await readFile(join(root, file), 'utf8'))
    const [source, name] = Object.entries<string>(json.metadata?.settings?.compilationTarget ?? {})[0] ?? []
    if (!source || !name) continue
    const id = `${source}:${name}`
    if (!source.startsWith(sourceDir) && !missing.has(id)) continue
    if (!existsSync(join(root, source)) || !declaresContract(await readFile(join(root, source), 'utf8'), name)) continue
    const other = found.get(name)
    if (other && other.source !== source)
      throw new Error(`Two contracts have the name ${name}: ${other.source} and ${source}`)
    found.set(name, {
      name,
      source,
      abi: json.abi,
      bytecode: json.bytecode.object,
      links: json.bytecode.linkReferences,
    })
    missing.delete(id)
  }
  if (missing.size > 0) throw new Error(`Listed but not compiled: ${[...missing].join(', ')}`)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Makes `dir` contain exactly `files`. A file that is already correct keeps its time stamp. */
async function writeDir(dir: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dir, { recursive: true })
  for await (const file of glob('*', { cwd: dir })) {
    if (!files.has(basename(file))) await rm(join(dir, file))
  }
  for (const [file, text] of files) await writeDerived(join(dir, file), text)
}
