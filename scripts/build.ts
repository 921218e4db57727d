// node scripts/build.ts <package folder>: builds what npm gets of a package. The workspace itself runs the sources.
import { readFile, rm } from 'node:fs/promises'
import { run } from './run.ts'

interface Manifest {
  exports?: Record<string, string>
  publishConfig?: { exports?: Record<string, unknown> }
  bin?: Record<string, string>
}

interface Config {
  compilerOptions: Record<string, string | boolean | string[]>
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the package to build, such as packages/protocol.')

const root = new URL('..', import.meta.url)
const read = async <T>(path: string) => JSON.parse(await readFile(new URL(path, root), 'utf8')) as T

const { exports = {}, publishConfig, bin = {} } = await read<Manifest>(`${folder}/package.json`)
// Internal entries are for this workspace only.
const published = Object.entries(exports).filter(([name]) => name in (publishConfig?.exports ?? {}))
const entries = [...published.map(([, path]) => path), ...Object.values(bin)].filter((path) => path.endsWith('.ts'))

// The options of the root, so that a package is built as it was checked. tsc finds the other files from the entries.
// A build starts clean: with the build info of the last type check tsc would emit only what has changed since.
const {
  compilerOptions: { tsBuildInfoFile: _, ...compilerOptions },
} = await read<Config>('tsconfig.json')
const options = {
  ...compilerOptions,
  incremental: false,
  noEmit: false,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  allowImportingTsExtensions: false,
  rootDir: folder,
  outDir: `${folder}/dist`,
}

await rm(new URL(`${folder}/dist`, root), { recursive: true, force: true })
const { exitCode } = await run('node_modules/.bin/tsc', [
  '--ignoreConfig',
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
  ...entries.map((path) => `${folder}/${path}`),
])
process.exitCode = exitCode
