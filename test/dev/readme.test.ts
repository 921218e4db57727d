import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDeepRun } from '../harness/env.ts'
import { findProcesses } from './findProcesses.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  // Root runs Postgres as another user, who needs access.
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// Each run of .ci/run is a clean clone, and dev.test.ts starts the stack, so a deep run is often enough.
test.runIf(isDeepRun())('the commands of Start, in a clean clone, lead to a page with tasks', async () => {
  const [lines, dev] = [listShellLines('Start'), 'pnpm dev ']
  const last = lines.pop()?.replace(dev, `${dev}${freePorts} `) ?? ''
  const script = [...lines, `exec ${last}`].join('\n').replace('<this repository>', await repository())
  expect(script).toContain(`exec ${dev}--api-port 0`)
  await writeFile(join(folder, 'start.sh'), `${asSomebodyElse}\nset -ex\n${script}\n`)

  const child = spawn('bash', [join(folder, 'start.sh')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'close')
  let output = ''
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Ready in')) done()
      })
    }
  })
  try {
    await Promise.race([ready, ended])
    const [, site = output] = /web site +(http\S+)/.exec(output) ?? []
    const page = await fetch(site, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script')
    const { tasks } = (await (await fetch(`${site}/api/market/open`)).json()) as { tasks: unknown[] }
    expect(tasks.length).toBeGreaterThan(0)
  } finally {
    // Ctrl-C in a terminal reaches every process in the foreground.
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await ended
  }
  expect(await findProcesses(folder)).toEqual([])
})

const freePorts = ['api', 'gateway', 'rpc', 'index'].map((part) => `--${part}-port 0`).join(' ')

/** Runs a shell without anything of this workspace: its own folder for global packages, and none of our variables. */
const asSomebodyElse = `
PATH=$(printf %s "$PATH" | tr : '\\n' | grep -v node_modules | paste -sd:)
unset DATABASE_URL NODE_COMPILE_CACHE $(compgen -e | grep -iE '^(npm|pnpm|vitest)_?' || true)
export NPM_CONFIG_PREFIX=$PWD/npm PATH=$PWD/npm/bin:$PATH`

/** Commits the working tree to a repository that can be cloned. */
async function repository(): Promise<string> {
  const copy = join(folder, 'repository')
  const { stdout } = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, maxBuffer: 1e8 })
  for (const file of stdout.split('\0').filter((each) => each && existsSync(join(root, each)))) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(root, file), join(copy, file), { verbatimSymlinks: true })
  }
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], { cwd: copy })
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'all')
  return copy
}

/** The shell lines in a section of the README. */
function listShellLines(section: string): string[] {
  const body = readme.split(/^## /m).find((each) => each.startsWith(`${section}\n`))
  const blocks = [...(body ?? '').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
  return blocks.join('').trim().split('\n')
}
