import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCheckedProviders, saveDeployments, WrongChainError } from '@svc/chain'
import { accounts, type Devnet, publicKeys, startDevnet } from '@svc/devnet'
import type { RpcNode, SimServer } from '@svc/simulation/chain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replaceCode, reportChainId } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'
import { killAllProcesses, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { runTool } from '../harness/runTool.ts'

let [devnet, folder]: [Devnet, string] = [{} as Devnet, '']
const wrong = new Map<string, SimServer>()

beforeAll(async () => {
  devnet = await startDevnet()
  folder = await mkdtemp(join(tmpdir(), 'wrong-provider-'))
  await saveDeployments(join(folder, 'deployments.json'), devnet.deployments)
  const { taskRegistry } = devnet.deployments.markets.micro
  wrong.set('otherChainId', await startProvider(devnet.rpcUrl, [reportChainId(84_532)]))
  wrong.set('otherCode', await startProvider(devnet.rpcUrl, [replaceCode(taskRegistry, '0x60016002')]))
})
afterAll(async () => {
  await killAllProcesses()
  for (const server of wrong.values()) await server.close()
  await devnet?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const reasons = {
  otherChainId: 'it is on chain 84532, but the contracts are on chain 8453',
  otherCode: /its code of micro taskRegistry at 0x[0-9a-fA-F]{40} is not the one that was deployed/,
}
const faults = ['otherChainId', 'otherCode'] as const

/** The wrong provider is second: one that is right does not make up for it. */
const buildEnv = (fault: (typeof faults)[number], more: Readonly<Record<string, string>> = {}) => ({
  CHAIN_RPC_URL: `${devnet.rpcUrl},${wrong.get(fault)?.url}`,
  SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
  ...more,
})

// Nobody listens there: the provider is refused before anything else is opened.
const SVC_DATABASE_URL = 'postgres://127.0.0.1:1/none'
const apps = {
  indexer: { SVC_DATABASE_URL, SVC_INDEX_PORT: '0' },
  api: { SVC_DATABASE_URL, SVC_SITE_PORT: '1', SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:1' },
  gateway: { SVC_GATEWAY_PORT: '1' },
  keeper: { SVC_KEEPER_KEY: publicKeys.ada, SVC_KEEPER_PORT: '0' },
  store: { SVC_DATABASE_URL, SVC_STORE_KEY: publicKeys.store, SVC_STORE_DOMAINS: 'market.test' },
  clerk: {
    SVC_STORE_URL: 'http://127.0.0.1:1',
    SVC_STORE_ADDRESS: accounts.store.address,
    SVC_CLERK_DOMAIN: 'market.test',
    SVC_CLERK_KEY: publicKeys.ada,
    SVC_CLERK_PORT: '0',
  },
} as const
const folders: Readonly<Record<string, string>> = {
  gateway: 'SVC_GATEWAY_STATE',
  store: 'SVC_STORE_FOLDER',
  clerk: 'SVC_CLERK_FOLDER',
}

describe.each(Object.keys(apps) as (keyof typeof apps)[])('%s', (app) => {
  test('does not start with a provider of another chain, or with other code, and says so in one line', async () => {
    await Promise.all(
      faults.map(async (fault) => {
        const own = folders[app]
        const env = buildEnv(fault, { ...apps[app], ...(own && { [own]: join(folder, `${app}-${fault}`) }) })
        const started = startAppProcess(app, env)
        await started.exited
        expect(started.exitStatus(), started.stderr()).toEqual({ code: 1 })
        expect(started.stderr().trim().split('\n')).toEqual([expect.stringMatching(/^provider 2 is refused: /)])
        expect(started.stderr()).toMatch(reasons[fault])
      }),
    )
  })
})

const cancel = ['cancel-task', '--task-id', 'v2:micro:1', '--from', accounts.ada.address]
const tools = [
  { name: 'svc-tools', argv: [], code: 2 },
  { name: 'svc-prepare', argv: cancel, code: 3 },
  { name: 'svc-verify', argv: ['v2:micro:1'], code: 3 },
] as const

describe.each(tools)('$name', ({ name, argv, code }) => {
  test('refuses a provider of another chain, or with other code, and says so in one line', async () => {
    await Promise.all(
      faults.map(async (fault) => {
        const env = buildEnv(fault, { CHAIN_RPC_URL: wrong.get(fault)?.url ?? '', HOME: folder })
        const ran = await runTool(name, argv, env)
        expect(ran, ran.errors).toMatchObject({ code, output: '' })
        const lines = ran.errors.split('\n').filter((line) => line.includes('is refused'))
        expect(lines).toHaveLength(1)
        expect(lines[0]).toMatch(reasons[fault])
      }),
    )
  })
})

test('a provider that is switched to another chain is not read from, and is used again once it is back', async () => {
  let isElsewhere = false
  const switched = (node: RpcNode): RpcNode => ({
    answer: (method, params) => (isElsewhere ? reportChainId(10)(node) : node).answer(method, params),
  })
  const server = await startProvider(devnet.rpcUrl, [switched])
  try {
    const refusals: string[] = []
    const providers = createCheckedProviders({
      urls: [server.url, devnet.rpcUrl],
      deployments: devnet.deployments,
      recheckMs: 0,
      retryMs: 0,
      coolDownMs: 0,
      onRefused: ({ message }) => refusals.push(message),
    })
    await providers.checkAll()
    const findReader = () =>
      providers.read(async ({ rpc, client }) => {
        await client.getBlockNumber()
        return rpc.name
      })
    expect(await findReader()).toBe('provider 1')
    isElsewhere = true
    await expect.poll(findReader).toBe('provider 2')
    expect(providers.listRefused()).toEqual([expect.stringContaining('provider 1 is refused: it is on chain 10')])
    expect(refusals).toHaveLength(1)
    await expect(providers.all[0]?.rpc.request('eth_blockNumber', [])).rejects.toBeInstanceOf(WrongChainError)
    isElsewhere = false
    await expect.poll(findReader).toBe('provider 1')
  } finally {
    await server.close()
  }
})
