// pnpm release [--dry-run | --publish]: builds and packs every public package, checks the tarballs, installs them into an empty folder and
// uses them there. With --publish, in the release workflow only, publishes those versions that npm does not have yet, with provenance.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { lintTarball, type Tarball, tryInstalled } from './release/checkPackages.ts'
import { publicPackages } from './release/publicPackages.ts'
import { run as runHere } from './run.ts'

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { publish: flag, 'dry-run': flag } })
const root = fileURLToPath(new URL('..', import.meta.url))

/** The part of package.json that matters here. */
interface Manifest {
  name: string
  version: string
  packageManager: string
  publishConfig?: { exports?: Record<string, string | object> }
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
const { packageManager } = await readManifest('.')
const packed = await mkdtemp(join(tmpdir(), 'release-'))
try {
  for (const [script, ...args] of [['build.ts'], ['bundle.ts', 'apps/tools']]) {
    const { exitCode } = await runHere('node', [`scripts/${script}`, ...args])
    if (exitCode !== 0) throw new Error(`scripts/${script} failed.`)
  }
  const tarballs: Tarball[] = []
  const versions = new Map<string, string>()
  for (const folder of publicPackages) {
    const { name, version, publishConfig } = await readManifest(folder)
    versions.set(name, version)
    // Built above, all at once.
    await run(
      'npx',
      ['--yes', packageManager, 'pack', '--config.ignore-scripts=true', '--pack-destination', packed],
      folder,
    )
    const path = join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const entries = Object.keys(publishConfig?.exports ?? {}).filter((entry) => !entry.includes('*'))
    tarballs.push({ folder, name, path, entries: entries.map((entry) => join(name, entry)) })
  }
  if (new Set(versions.values()).size > 1) {
    throw new Error(`All packages share one version, but these differ: ${[...versions].join(', ')}.`)
  }
  for (const tarball of tarballs) {
    await lintTarball(tarball)
    console.log(`${tarball.name}: publint and attw find nothing`)
  }
  const empty = join(packed, 'empty')
  await mkdir(empty)
  await tryInstalled(tarballs, empty, root)
  for (const { name, path } of tarballs) {
    const version = versions.get(name) ?? ''
    if (!values.publish) {
      await run('npm', ['publish', path, '--dry-run', '--access', 'public'])
      console.log(`${name}@${version} can be published.`)
    } else if (await isPublished(name, version)) {
      console.log(`${name}@${version} is already published.`)
    } else {
      await run('npm', ['publish', path, '--provenance', '--access', 'public'])
      console.log(`${name}@${version} published.`)
    }
  }
} finally {
  await rm(packed, { recursive: true, force: true })
}

async function run(command: string, args: readonly string[], folder = '.'): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], { cwd: join(root, folder) })
  return stdout
}

async function isPublished(name: string, version: string): Promise<boolean> {
  try {
    return (await run('npm', ['view', `${name}@${version}`, 'version'])).trim() === version
  } catch (error) {
    if (String(error).includes('E404')) return false
    throw error
  }
}
