import { execFile } from 'node:child_process'
import { chown, copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { envOf, instructionsOf, listOf, readDockerfile, sourcesOf } from './dockerfile.ts'
import { createIgnored } from './dockerignore.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../', import.meta.url))

/** What an image would be, as a folder. */
export interface Image {
  env: Record<string, string>
  command: string[]
  healthcheck: string[]
  /** Where the workspace is. */
  app: string
  /** Where secrets would be mounted. */
  secrets: string
}

export interface BuilderOptions {
  /** Where stages are made. */
  folder: string
  /** A file that takes the place of the argument DEPLOYMENTS. */
  deployments: string
  /** Who runs what is built: `node` in the image, nobody in particular here. Only root can be somebody else. */
  uid: number
}

/** What is done to the system around the workspace; here there is none. */
const skipped = [
  `npm install --global "$(node -p 'require("./package.json").packageManager')"`,
  'rm -rf /usr/local/lib/node_modules /opt/yarn* && mkdir /compiled && chown node:node /compiled',
]

/** Does what `deploy/Dockerfile` says without Docker: the same files and the same commands, each stage a folder. */
export async function createBuilder({ folder, deployments, uid }: BuilderOptions) {
  const { stages } = readDockerfile()
  const isIgnored = createIgnored()
  const { packageManager } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const asUser = userInfo().uid === 0 ? { uid, gid: uid } : {}
  const made = new Map<string, Promise<string>>()
  const node = join(folder, 'bin/node')
  await mkdir(join(folder, 'bin'))
  await copyFile(process.execPath, node)

  const make = (name: string): Promise<string> => {
    const known = made.get(name) ?? makeStage(name)
    made.set(name, known)
    return known
  }

  async function makeStage(name: string): Promise<string> {
    const stage = stages.get(name)
    if (!stage) throw new Error(`There is no stage ${name}.`)
    const root = join(folder, name)
    await mkdir(join(root, 'app'), { recursive: true })
    await mkdir(join(root, 'compiled'))
    if (asUser.uid) await chown(join(root, 'compiled'), uid, uid)
    if (stages.has(stage.from)) await link(join(await make(stage.from), 'app/.'), join(root, 'app'))
    const env = envIn(root, name)
    for (const { name: kind, words } of stage.instructions) {
      if (kind === 'COPY') await copy(words, join(root, 'app'))
      if (kind === 'RUN' && !skipped.includes(words)) await execute(words, join(root, 'app'), env)
    }
    return root
  }

  async function copy(words: string, app: string): Promise<void> {
    const { from, sources, target } = sourcesOf(words)
    const to = join(app, target)
    for (const source of sources) {
      if (from !== null) await link(join(await make(from), source, target === './' ? '.' : ''), to)
      else if (source === '$DEPLOYMENTS') await copyFile(deployments, to)
      else {
        const isFolder = (await stat(join(repository, source))).isDirectory()
        const filter = (path: string) => !isIgnored(relative(repository, path))
        await cp(join(repository, source), isFolder ? to : join(to, source), { recursive: true, filter })
      }
    }
  }

  /** pnpm is as whoever runs the tests has it, and takes what is there already; node has nothing but the image. */
  async function execute(command: string, cwd: string, env: Record<string, string>): Promise<void> {
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    if (command.startsWith('pnpm ')) {
      const words = command.slice('pnpm '.length).replace(/^install/, 'install --prefer-offline')
      await run('env', [...set, 'sh', '-c', `npx --yes ${packageManager} ${words}`], { cwd })
    } else if (command.startsWith('node ')) {
      await run('sh', ['-c', command.replace('node', node)], { cwd, env: { ...env, PATH: '/usr/bin:/bin' }, ...asUser })
    } else throw new Error(`Nobody here knows what this does: ${command}`)
  }

  const envIn = (root: string, name: string) => {
    const env = Object.entries(envOf(instructionsOf(stages, name)))
    return Object.fromEntries(env.map(([name, value]) => [name, inside(root, value)]))
  }

  return {
    async build(target: string): Promise<Image> {
      const root = await make(target)
      const listed = (name: 'CMD' | 'HEALTHCHECK') =>
        listOf(instructionsOf(stages, target), name).map((word) => (word === 'node' ? node : inside(root, word)))
      return {
        env: envIn(root, target),
        command: listed('CMD'),
        healthcheck: listed('HEALTHCHECK'),
        app: join(root, 'app'),
        secrets: join(root, 'run/secrets'),
      }
    },
  }
}

/** A path of the image where it is here. */
const inside = (root: string, word: string) => word.replace(/(^|=)(\/(?:app|compiled|run)\b)/, `$1${root}$2`)

/** The same files in a second place. */
async function link(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', '--link', '--no-target-directory', from, to])
}
