// pnpm release [--publish]: packs every public package and has npm check it. With --publish, in the release workflow only,
// publishes those versions that npm does not have yet, with provenance.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } })
const root = fileURLToPath(new URL('..', import.meta.url))
/** Dependencies first. */
const folders = ['packages/protocol', 'packages/transport-xmtp', 'apps/tools']

/** The part of package.json that matters here. */
interface Manifest {
  name: string
  version: string
  packageManager: string
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest
const { packageManager } = await readManifest('.')
const versions = new Set<string>()
const packed = await mkdtemp(join(tmpdir(), 'release-'))
try {
  for (const folder of folders) {
    const { name, version } = await readManifest(folder)
    versions.add(version)
    await run('npx', ['--yes', packageManager, 'pack', '--pack-destination', packed], folder)
    const tarball = join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    if (!values.publish) {
      await run('npm', ['publish', tarball, '--dry-run', '--access', 'public'])
      console.log(`${name}@${version} can be published.`)
    } else if (await isPublished(name, version)) {
      console.log(`${name}@${version} is already published.`)
    } else {
      await run('npm', ['publish', tarball, '--provenance', '--access', 'public'])
      console.log(`${name}@${version} published.`)
    }
  }
} finally {
  await rm(packed, { recursive: true, force: true })
}
if (versions.size > 1) throw new Error(`All packages share one version, but these differ: ${[...versions].join(', ')}.`)

async function run(command: string, args: readonly string[], folder = '.'): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, [...args], { cwd: join(root, folder) })
  console.log(`${stderr}${stdout}`.trim())
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
