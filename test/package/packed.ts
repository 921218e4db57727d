import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname

/** A package as npm would get it. */
export interface Packed {
  tarball: ArrayBuffer
  manifest: { name: string; exports: Record<string, string | { default: string }> }
  /** A folder in which a program can import the package, and nothing that the package does not depend on. */
  consumer: string
}

/** Packs a workspace package into `dir` and puts it where a consumer would have it. Needs no network. */
export async function pack(folder: string, dir: string): Promise<Packed> {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  await run('npx', ['--yes', '--prefer-offline', packageManager, 'pack', '--pack-destination', dir], {
    cwd: join(root, folder),
  })
  const file = (await readdir(dir)).find((name) => name.endsWith('.tgz'))
  if (!file) throw new Error(`pnpm pack left no tarball of ${folder}.`)
  const packed = await readFile(join(dir, file))
  const tarball = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as ArrayBuffer

  await run('tar', ['-xzf', file], { cwd: dir })
  const manifest = JSON.parse(await readFile(join(dir, 'package/package.json'), 'utf8')) as Packed['manifest'] & {
    dependencies: Record<string, string>
    peerDependencies: Record<string, string>
  }
  const modules = join(dir, 'node_modules')
  await mkdir(join(modules, manifest.name, '..'), { recursive: true })
  await symlink(join(dir, 'package'), join(modules, manifest.name))
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    // A name with a scope lies in a folder of its own.
    await mkdir(join(modules, name, '..'), { recursive: true })
    await symlink(join(root, folder, 'node_modules', name), join(modules, name))
  }
  return { tarball, manifest, consumer: dir }
}

/** Installs our packages into an empty folder from their tarballs, and links what others publish. Needs no network. */
export async function installPacked(names: readonly string[], dir: string): Promise<void> {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  await run(process.execPath, ['scripts/build.ts', ...names.map((name) => `packages/${name}`)], { cwd: root })
  const modules = join(dir, 'node_modules')
  for (const name of names) {
    const [from, to] = [join(root, 'packages', name), join(modules, '@svc', name)]
    await mkdir(to, { recursive: true })
    // Built above, all at once.
    const options = ['--config.ignore-scripts=true', '--pack-destination', dir]
    await run('npx', ['--yes', '--prefer-offline', packageManager, 'pack', ...options], { cwd: from })
    const tarball = (await readdir(dir)).find((each) => each.startsWith(`svc-${name}-`)) ?? ''
    await run('tar', ['-xzf', join(dir, tarball), '-C', to, '--strip-components=1'])
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(await readFile(join(to, 'package.json'), 'utf8'))
    for (const each of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (each.startsWith('@svc/')) continue
      await mkdir(join(modules, each, '..'), { recursive: true })
      await symlink(join(from, 'node_modules', each), join(modules, each)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
}
