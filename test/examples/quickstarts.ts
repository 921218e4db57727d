import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findTaskNumber } from '@svc/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage, root } from '../docs/markdown.ts'
import type { DevStack } from '../harness/devStack.ts'
import { withoutOurPrograms } from '../harness/env.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { pack } from '../package/packed.ts'

/** The open task that the quickstarts name. */
const usualTask = `v2:micro:${findTaskNumber('micro', 'open')}`

/**
 * Registers tests that run the quickstarts literally, on a stack that is started by then. `postTask` posts an open task instead of
 * the usual one, which other tests may have claimed.
 */
export function testQuickstarts(getStack: () => DevStack, postTask: () => Promise<string>): void {
  let [folder, task] = ['', '']
  // The commands write files to their working folder: a clone, and a folder with nothing but the package.
  const places = { clone: '', empty: '' }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quickstarts-'))
    for (const place of ['clone', 'empty'] as const) {
      places[place] = join(folder, place)
      await mkdir(places[place])
    }
    // Links provide the repository.
    for (const name of ['apps', 'packages', 'node_modules', 'package.json'])
      await symlink(root + name, join(places.clone, name))
    // Apart from the empty folder: npm installs into the nearest folder above that has modules.
    const packed = join(folder, 'packed')
    await mkdir(packed)
    await pack('apps/tools', packed)
    const tarball = (await readdir(packed)).find((name) => name.endsWith('.tgz')) ?? ''
    const install = ['install', '--offline', '--no-audit', '--no-fund', join(packed, tarball)]
    await promisify(execFile)('npm', install, { cwd: places.empty })
    // What else the agent's page installs. That the packed client installs is shown in test/package.
    const links = { '@svc/client': 'packages/client', '.bin/mcporter': 'apps/tools/node_modules/.bin/mcporter' }
    await mkdir(join(places.empty, 'node_modules/@svc'), { recursive: true })
    for (const [name, path] of Object.entries(links))
      await symlink(root + path, join(places.empty, 'node_modules', name))
    task = await postTask()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const play = (path: string, place: keyof typeof places = 'clone') =>
    playPage(path, getStack(), { folder: places[place], home: folder, task })

  test.concurrent('a worker, from an empty folder: claims, delivers and is paid', async () => {
    expect(await play('docs/quickstart-worker.md', 'empty')).toContain(`${task}: COMPLETED`)
  })

  test.concurrent('a poster: posts, starts and accepts', async () => {
    const printed = await play('docs/quickstart-poster.md')
    expect(printed).toMatch(/"used":\d+,"limit":25/)
    expect(printed).toMatch(/v2:micro:\d+: COMPLETED/)
  })

  test.concurrent('an agent, from an empty folder: reads, gets its next steps and prepares', async () => {
    const printed = await play('docs/quickstart-agent.md', 'empty')
    expect(printed).toMatch(/data: \{"event":/)
    expect(printed).toMatch(/claim-task/)
    expect(printed).toMatch(/"status":"pending"/)
    expect(printed).toMatch(/^v2:micro:\d+ \d+n TOK$/m)
  })

  test.concurrent('an operator: starts, inspects, backs up, restores and stops', async () => {
    const printed = await play('docs/quickstart-operator.md')
    expect(printed).toMatch(/x-read-path: index/i)
    expect(printed).toMatch(/"posting\.payment"/)
    expect(printed).toMatch(/is restored: \d+ tables, each as it was/)
  })
}

/** Runs every block of a page as one script, on this stack instead of the default one, and returns its output. */
async function playPage(
  path: string,
  stack: DevStack,
  { folder, home, task }: { folder: string; home: string; task: string },
): Promise<string> {
  const blocks = [...readPage(path).text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  // The number changes when the demo world does.
  for (const [id] of blocks.join('\n').matchAll(/v2:micro:\d+/g)) expect(id).toBe(usualTask)
  const places: readonly (readonly [string, string])[] = [
    [usualTask, task],
    ['http://127.0.0.1:8545', stack.rpcUrl],
    ['http://127.0.0.1:8080', stack.apiUrl],
    ['http://127.0.0.1:4020', stack.gatewayUrl],
    ['$PWD/deployments/8453.local.json', stack.deploymentsFile],
    ['deployments/8453.local.json', stack.deploymentsFile],
    ['9465', String(await findFreePort())],
    ['8081', String(await findFreePort())],
    ['quickstart', `quickstart_${randomUUID().slice(0, 8)}`],
  ]
  const script = places.reduce((text, [usual, here]) => text.replaceAll(usual, here), blocks.join('\n'))
  // Whatever it started ends with it. HOME is for what a command remembers.
  const whole = `set -e\nexport HOME=${home}\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`
  const env = withoutOurPrograms()
  const { stdout } = await promisify(execFile)('bash', ['-c', whole], { cwd: folder, env, timeout: 240_000 })
  return stdout
}
