import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Deployments, saveDeployments } from '@svc/chain'
import type { World } from '@svc/devnet'
import { accounts } from '@svc/devnet'
import { getPinFile, readConfigOrApi } from '@svc/serve'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readGatewayEnv } from '../../apps/gateway/src/env.ts'
import { startAppProcess } from '../../chaos/shared/appProcess.ts'
import { type BareService, startBareService } from '../harness/bareService.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { createPrepareRunner, type Preparing } from './preparing.ts'

let world: World
let preparing: Preparing
const services: BareService[] = []
beforeAll(async () => {
  world = await startDemoWorld()
})
afterEach(async () => {
  for (const service of services.splice(0)) await service.close(0)
  await preparing?.stop()
})
afterAll(() => world?.devnet.stop())

/** Starts the API with these addresses, and svc-prepare with a home of its own that knows only its URL. */
async function startMarket(deployments: Deployments): Promise<string> {
  const { rpcUrl } = world.devnet
  preparing = await createPrepareRunner({ rpcUrl, deployments: null, gatewayUrl: 'http://127.0.0.1:3' })
  Object.assign(preparing.environment, { SVC_DEPLOYMENTS: '', HOME: preparing.folder, XDG_STATE_HOME: '' })
  const service = await startBareService({ deployments })
  services.push(service)
  return service.url
}

const read = (api: string, ...more: string[]) => preparing.run(['read', '--api', api, '--json', ...more])

/** The addresses of the deployment, some of them replaced. */
function replaceAddresses(standard: Partial<Deployments['markets']['standard']>, more: Partial<Deployments> = {}) {
  const { deployments } = world.devnet
  const { standard: own, micro } = deployments.markets
  return { ...deployments, markets: { standard: { ...own, ...standard }, micro }, ...more }
}

test.each<[string, () => Deployments, RegExp]>([
  [
    'a wallet instead of a contract',
    () => replaceAddresses({ escrowVault: accounts.ada.address }),
    /no contract at .*, the address of standard escrowVault/,
  ],
  [
    "another contract's code",
    () => replaceAddresses({ escrowVault: world.devnet.deployments.markets.standard.depositVault }),
    /standard escrowVault at 0x\w+ is not the contract of this version/,
  ],
  [
    'our code, wired to other contracts',
    () => replaceAddresses({ escrowVault: world.devnet.deployments.markets.micro.escrowVault }),
    /belongs to other contracts: its \w+ is 0x/,
  ],
  [
    'the markets swapped',
    () => {
      const { standard, micro } = world.devnet.deployments.markets
      return replaceAddresses({}, { markets: { standard: micro, micro: standard } })
    },
    /belongs to other contracts: its \w+ is 0x/,
  ],
  ['another chain', () => replaceAddresses({}, { chainId: 10 }), /for chain 10, but the RPC provider is on chain 8453/],
])('an API that lies is refused: %s', async (_, lie, reason) => {
  const api = await startMarket(lie())
  const { exit, json } = await read(api)
  expect([exit, json.code]).toEqual([4, 'UNTRUSTED_DEPLOYMENT'])
  expect(json.error).toMatch(reason)
  expect(await readdir(preparing.folder)).toEqual([])
})

test('what was verified is pinned, and an API that later says something else is refused', async () => {
  const { deployments } = world.devnet
  const api = await startMarket(deployments)
  const first = await read(api)
  expect(first.exit, first.out).toBe(0)
  expect(first.err).toContain('verified the contracts')
  const file = getPinFile(api, preparing.environment)
  expect(file.startsWith(join(preparing.folder, '.local/state/svc-tools'))).toBe(true)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const second = await read(api)
  expect([second.exit, second.err, second.json.tasks]).toEqual([0, '', first.json.tasks])

  // As if the operator, or somebody in its place, now names other contracts.
  const other = { ...deployments, startBlock: deployments.startBlock + 1 }
  await saveDeployments(file, other)
  const refused = await read(api)
  expect([refused.exit, refused.json.code]).toEqual([4, 'PIN_DIFFERS'])
  expect(refused.json.error).toContain(
    `startBlock is ${deployments.startBlock}, but it was pinned as ${other.startBlock}`,
  )
  expect(refused.json.error).toContain('--repin')
  expect((await read(api, '--repin')).exit).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ apiUrl: api, ...deployments })

  // Once pinned, the chain alone is enough.
  for (const service of services.splice(0)) await service.close(0)
  expect((await read(api)).json.tasks).toEqual(first.json.tasks)
})

test('SVC_DEPLOYMENTS wins, and without both the error says what to set', async () => {
  const api = await startMarket(replaceAddresses({}, { chainId: 10 }))
  const SVC_DEPLOYMENTS = await preparing.file(JSON.stringify(world.devnet.deployments))
  expect((await preparing.run(['read', '--api', api, '--json'], { env: { SVC_DEPLOYMENTS } })).exit).toBe(0)
  const { exit, json } = await preparing.run(['read', '--json'])
  expect([exit, json.error]).toEqual([2, expect.stringMatching(/SVC_API_URL: needed, or pass --api/)])
})

describe('the gateway with SVC_API_URL alone', () => {
  const buildEnv = (api: string, port: number) => ({
    CHAIN_RPC_URL: world.devnet.rpcUrl,
    SVC_API_URL: api,
    SVC_GATEWAY_PORT: String(port),
    HOME: preparing.folder,
  })

  test('verifies the contracts, pins them, and serves its routes', async () => {
    const port = await findFreePort()
    const gateway = startAppProcess('gateway', buildEnv(await startMarket(world.devnet.deployments), port))
    await gateway.waitForLog('listening')
    const response = await fetch(`http://127.0.0.1:${port}/v1/market/open?market=micro`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('"id":"v2:micro:')
    await gateway.kill('SIGTERM')
  })

  // What the process does first. It exits with what this throws.
  test('refuses an API that lies', async () => {
    const environment = buildEnv(await startMarket(replaceAddresses({ escrowVault: accounts.ada.address })), 4020)
    const started = readConfigOrApi(readGatewayEnv, { environment, repin: false, notify: () => {} })
    await expect(started).rejects.toThrow(/no contract at .*, the address of standard escrowVault/)
  })
})
