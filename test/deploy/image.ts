import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Instruction, parseCopy, parseEnvInstructions, readDockerfile } from './dockerfile.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../', import.meta.url))

/** An image, built as a folder. */
export interface Image {
  env: Record<string, string>
  /** The folder of the workspace. */
  app: string
  /** The folder where a volume is mounted. */
  data: string
  /** The words of a command of the image, as they are here. */
  toCommand: (words: readonly string[], secrets: string) => string[]
}

export interface BuildOptions {
  /** The folder for the stages. */
  folder: string
  /** The file to use for the argument DEPLOYMENTS. */
  deployments: string
  /** The user that runs the image's commands, in place of `node`. Only root can switch users. */
  uid: number
}

/** Commands that change the system of the image. They are skipped here. */
const skipped = [
  `npm install --global "$(node -p 'require("./package.json").packageManager')"`,
  'rm -rf /usr/local/lib/node_modules /opt/yarn* && mkdir /compiled /data && chown node:node /compiled /data',
]

/** Executes `deploy/Dockerfile` without Docker: the same files and commands, with a folder for each stage. */
export async function buildImage({ folder, deployments, uid }: BuildOptions): Promise<Image> {
  const { stages } = readDockerfile()
  const isIgnored = createDockerignoreFilter()
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
    if (!stage) throw new Error(`deploy/Dockerfile has no stage ${name}.`)
    const root = join(folder, name)
    await mkdir(join(root, 'app'), { recursive: true })
    for (const owned of ['compiled', 'data']) {
      await mkdir(join(root, owned))
      if (asUser.uid) await chown(join(root, owned), uid, uid)
    }
    if (stages.has(stage.from)) await link(join(await make(stage.from), 'app/.'), join(root, 'app'))
    const env = parseEnvIn(root, stage.instructions)
    for (const { name: kind, words } of stage.instructions) {
      if (kind === 'COPY') await copy(words, join(root, 'app'))
      if (kind === 'RUN' && !skipped.includes(words)) await execute(words, join(root, 'app'), env)
    }
    return root
  }

  async function copy(words: string, app: string): Promise<void> {
    const { from, sources, target } = parseCopy(words)
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

  /** Runs a command. pnpm uses the store of the user who runs the tests; node gets only the environment of the image. */
  async function execute(command: string, cwd: string, env: Record<string, string>): Promise<void> {
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    if (command.startsWith('pnpm ')) {
      const words = command.slice('pnpm '.length).replace(/^install/, 'install --prefer-offline')
      await run('env', [...set, 'sh', '-c', `npx --yes ${packageManager} ${words}`], { cwd })
    } else if (command.startsWith('node ')) {
      await run('sh', ['-c', command.replace('node', node)], { cwd, env: { ...env, PATH: '/usr/bin:/bin' }, ...asUser })
    } else throw new Error(`The test does not know how to run this command: ${command}`)
  }

  const root = await make('market')
  return {
    env: parseEnvIn(root, stages.get('market')?.instructions ?? []),
    app: join(root, 'app'),
    data: join(root, 'data'),
    toCommand: (words, secrets) =>
      words.map((word) => (word === 'node' ? node : inside(root, word.replace('/run/secrets', secrets)))),
  }
}

const parseEnvIn = (root: string, instructions: readonly Instruction[]) =>
  Object.fromEntries(
    Object.entries(parseEnvInstructions(instructions)).map(([name, value]) => [name, inside(root, value)]),
  )

/** Maps a path of the image to the folder. */
const inside = (root: string, word: string) => word.replace(/(^|=)(\/(?:app|compiled|data)\b)/, `$1${root}$2`)

/** Copies files with hard links. */
async function link(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', '--link', '--no-target-directory', from, to])
}

/** Creates a filter that tells whether `.dockerignore` excludes a path. The last matching line decides. */
function createDockerignoreFilter(): (path: string) => boolean {
  const patterns = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const matches = (pattern: string) => above.some((each) => matchesGlob(each, pattern.replace(/^!/, '')))
    return patterns.findLast(matches)?.startsWith('!') === false
  }
}
