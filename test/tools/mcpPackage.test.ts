import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { marketNames, saveDeployments, sharedNames } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { actionList } from '@svc/protocol/actions'
import { publint } from 'publint'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import bundle from '../../apps/tools/manifest.json' with { type: 'json' }
import manifest from '../../apps/tools/package.json' with { type: 'json' }
import entry from '../../apps/tools/server.json' with { type: 'json' }
import { toolsVariables } from '../../apps/tools/src/env.ts'
import { jobTools, tools } from '../../apps/tools/src/tools/index.ts'
import { messageKinds } from '../../apps/tools/src/tools/send_message.ts'
import { type Command, connect, createCaller } from '../../apps/tools/test/connect.ts'
import { startBareService } from '../harness/bareService.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { type Packed, pack } from '../package/packed.ts'
import { unzip } from './unzip.ts'

const run = promisify(execFile)
const names = tools.map(({ name }) => name)
const offered = jobTools.map(({ name }) => name)
const text = (path: string) => readFile(new URL(`../../apps/tools/${path}`, import.meta.url), 'utf8')

let dir: string
let packed: Packed
let env: Record<string, string>
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tools-package-'))
  packed = await pack('apps/tools', dir)
  const SVC_DEPLOYMENTS = join(dir, 'deployments.json')
  const zeros = (list: readonly string[]) => Object.fromEntries(list.map((name) => [name, zeroAddress])) as never
  await saveDeployments(SVC_DEPLOYMENTS, {
    chainId: 8453,
    startBlock: 0,
    shared: zeros(sharedNames),
    markets: { standard: zeros(marketNames), micro: zeros(marketNames) },
  })
  // Nothing connects before the first tool call.
  env = { CHAIN_RPC_URL: 'http://127.0.0.1:9', SVC_DEPLOYMENTS }
})
afterAll(() => rm(dir, { recursive: true }))

async function toolNames(command: Command): Promise<string[]> {
  const client = await connect(command, 'auto')
  const { tools: listed } = await client.listTools()
  await client.close()
  return listed.map(({ name }) => name)
}

test('npm finds nothing wrong with the package', async () => {
  const { messages } = await publint({ pack: { tarball: packed.tarball }, strict: true })
  expect(messages).toEqual([])
})

test('installed into an empty folder, without a network, each command runs', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'tools-installed-'))
  try {
    const tarball = (await readdir(dir)).find((name) => name.endsWith('.tgz')) ?? ''
    await writeFile(join(empty, 'package.json'), '{}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(dir, tarball)], { cwd: empty })
    expect(await readdir(join(empty, 'node_modules/@svc'))).toEqual(['tools'])
    const file = (name: string) => join(empty, 'node_modules/.bin', name)
    expect(await toolNames({ command: process.execPath, args: [file('svc-tools')], env })).toEqual(offered)
    await useOneUrl(file, empty)
    for (const name of Object.keys(manifest.bin)) {
      const { stdout, stderr } = await run(process.execPath, [file(name), '--help'], { env })
      expect(stdout + stderr).toContain(name)
      expect((await run(process.execPath, [file(name), '--version'], { env })).stdout).toBe(`${manifest.version}\n`)
      // The reader is gone before the first line.
      const cut = `set -o pipefail; "${process.execPath}" "${file(name)}" --help | true`
      expect(await run('bash', ['-c', cut], { env })).toMatchObject({ stderr: expect.not.stringContaining('EPIPE') })
    }
  } finally {
    await rm(empty, { recursive: true })
  }
})

/** One URL is enough to find a task, see what to do and prepare a claim. Only the local chain needs its own RPC URL. */
async function useOneUrl(file: (name: string) => string, home: string): Promise<void> {
  const { devnet } = await startDemoWorld()
  const api = await startBareService({ deployments: devnet.deployments })
  try {
    const given = { HOME: home, CHAIN_RPC_URL: devnet.rpcUrl, SVC_GATEWAY_URL: 'http://127.0.0.1:3' }
    const client = createCaller(
      await connect({ command: process.execPath, args: [file('svc-tools'), '--api', api.url], env: given }, 'auto'),
    )
    const use = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent, content } = await client.call(name, args)
      expect(structuredContent, content[0]?.text).toBeDefined()
      return structuredContent as Record<string, unknown>
    }
    const { tasks } = (await use('svc_list_open_tasks', { limit: 50 })) as { tasks: Record<string, string>[] }
    const id = tasks.find(({ phase, claimPolicy }) => phase === 'OPEN_FOR_CLAIM' && claimPolicy === 'ANYONE')?.id
    const wallet = accounts.ivo.address
    expect((await use('svc_task_next_steps', { id, address: wallet })).steps).toContainEqual(
      expect.objectContaining({ action: 'claim-task' }),
    )
    const claim = await use('svc_prepare', {
      action: 'claim-task',
      input: { taskId: id },
      address: wallet,
      calls: true,
    })
    expect(claim).toMatchObject({ ready: true, claimDigest: expect.stringMatching(/^0x/) })
    await client.close()
    const argv = [file('svc-prepare'), 'claim-task', '--task-id', id ?? '', '--from', wallet, '--no-wait', '--json']
    const { stdout } = await run(process.execPath, argv, { env: { ...given, SVC_API_URL: api.url } })
    expect(JSON.parse(stdout).calls).toEqual((claim.sendCalls as { calls: unknown }).calls)
  } finally {
    await api.close(0)
    await devnet.stop()
  }
}

test('the .mcpb bundle contains the manifest and a working server', async () => {
  const files = unzip(await readFile(new URL('../../apps/tools/dist/svc-tools.mcpb', import.meta.url)))
  expect([...files.keys()]).toEqual(['manifest.json', bundle.server.entry_point])
  expect(JSON.parse(String(files.get('manifest.json')))).toEqual(bundle)
  const place = join(dir, 'mcpb')
  await mkdir(join(place, 'server'), { recursive: true })
  for (const [name, data] of files) await writeFile(join(place, name), data)
  // Start it like a client, with the variables filled in.
  const args = bundle.server.mcp_config.args.map((arg) => arg.replace(`\${__dirname}`, place))
  expect(await toolNames({ command: process.execPath, args, env })).toEqual(offered)
})

describe('what registries and installers read', () => {
  test('names and versions are the same everywhere', () => {
    const [npm] = entry.packages
    expect(entry.name).toBe(manifest.mcpName)
    expect([entry.version, npm?.version, bundle.version]).toEqual(Array(3).fill(manifest.version))
    expect(npm?.identifier).toBe(manifest.name)
    expect(Object.keys(manifest.bin)).toEqual(Object.keys(manifest.publishConfig.bin))
    expect(bundle.tools.map(({ name }) => name)).toEqual(offered)
  })

  test('server.json matches the MCP registry', () => {
    expect(entry.$schema).toMatch(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/)
    expect(entry.name).toMatch(/^[a-zA-Z0-9.-]{3,100}\/[a-zA-Z0-9._-]{1,99}$/)
    expect(entry.description.length).toBeLessThanOrEqual(100)
    expect(entry.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(entry.packages).toEqual([
      expect.objectContaining({ registryType: 'npm', runtimeHint: 'npx', transport: { type: 'stdio' } }),
    ])
    for (const variable of entry.packages[0]?.environmentVariables ?? [])
      expect(toolsVariables).toContain(variable.name)
  })

  test('the manifest matches .mcpb installers', () => {
    expect(bundle).toMatchObject({
      manifest_version: '0.3',
      author: { name: expect.any(String) },
      server: { type: 'node' },
    })
    const asked = Object.keys(bundle.user_config).map((key) => `\${user_config.${key}}`)
    expect(Object.values(bundle.server.mcp_config.env)).toEqual(asked)
    for (const variable of Object.keys(bundle.server.mcp_config.env)) expect(toolsVariables).toContain(variable)
  })
})

describe('what people and agents read', () => {
  test('SKILL.md names every tool, and no tool or action that does not exist', async () => {
    const skill = await text('SKILL.md')
    const named = new Set(skill.match(/svc_[a-z_]+/g))
    expect([...named].sort()).toEqual(names.toSorted())
    const known = new Set([
      ...actionList.map(({ name }) => name),
      ...Object.keys(manifest.bin),
      ...messageKinds,
      'task-market',
      'hash-criteria',
    ])
    const words = [...skill.matchAll(/`(?:svc-prepare )?([a-z]+(?:-[a-z]+)+)(?: [^`]*)?`/g)].map(
      ([, name]) => name ?? '',
    )
    expect(words.length).toBeGreaterThan(15)
    expect(words.filter((name) => !known.has(name))).toEqual([])
  })

  test('every configuration in the README sets the required variables', async () => {
    const blocks = [...(await text('README.md')).matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) =>
      JSON.parse(json ?? ''),
    )
    expect(blocks).toHaveLength(2)
    for (const { mcpServers, servers } of blocks) {
      const { args, env: given } = (mcpServers ?? servers)['task-market']
      expect(args.at(-1)).toBe('svc-tools')
      expect(Object.keys(given)).toEqual(['SVC_API_URL'])
    }
  })
})
