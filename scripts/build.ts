// node scripts/build.ts [package folders]: builds what npm gets of these packages, or of all that are published. The workspace itself
// runs the sources.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { libraries } from './release/publicPackages.ts'
import { run } from './run.ts'

interface Manifest {
  exports?: Record<string, string>
  publishConfig?: { exports?: Record<string, unknown> }
}

interface Config {
  compilerOptions: Record<string, string | boolean | string[]>
}

// npm knows nothing of publishConfig.exports: its tarball would export sources that are not in it.
const { npm_command, npm_config_user_agent = 'pnpm' } = process.env
if (npm_command === 'pack' && !npm_config_user_agent.startsWith('pnpm')) throw new Error('Pack it with pnpm pack.')

const named = process.argv.slice(2)
const folders = named.length > 0 ? named : libraries
const root = fileURLToPath(new URL('..', import.meta.url))
const read = async <T>(path: string) => JSON.parse(await readFile(join(root, path), 'utf8')) as T

/** The sources of the entry points that a package publishes. Internal ones are published under one pattern, for our own packages. */
async function listEntries(folder: string): Promise<string[]> {
  const { exports = {}, publishConfig } = await read<Manifest>(`${folder}/package.json`)
  const published = new Set(Object.keys(publishConfig?.exports ?? {}))
  const isPublished = (name: string) =>
    published.has(name) || published.has(name.replace(/^\.\/internal\/.*/, './internal/*'))
  return Object.entries(exports).flatMap(([name, path]) =>
    isPublished(name) && path.endsWith('.ts') ? [`${folder}/${path}`] : [],
  )
}

// One run for all, because each package is checked with those that it depends on. The options are those of the root, so that a package
// is built as it was checked. A build starts clean: with the build info of the last type check tsc would emit only what has changed.
const {
  compilerOptions: { tsBuildInfoFile: _, ...compilerOptions },
} = await read<Config>('tsconfig.json')
const outDir = await mkdtemp(join(root, 'node_modules/.cache/build-'))
try {
  const options = {
    ...compilerOptions,
    incremental: false,
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    allowImportingTsExtensions: false,
    rootDir: '.',
    outDir,
  }
  const { exitCode } = await run('node_modules/.bin/tsc', [
    '--ignoreConfig',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...(await Promise.all(folders.map(listEntries))).flat(),
  ])
  process.exitCode = exitCode
  for (const folder of exitCode === 0 ? folders : []) {
    await rm(join(root, folder, 'dist'), { recursive: true, force: true })
    await cp(join(outDir, folder), join(root, folder, 'dist'), { recursive: true })
  }
} finally {
  await rm(outDir, { recursive: true, force: true })
}
