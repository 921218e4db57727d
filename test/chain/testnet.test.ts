import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMarketDeployment, prepareActionJson, saveDeployments } from '@svc/chain'
import { accounts, advanceTimeTo, createScene, publicKeys, refreshPrice, sendPost, setUpMarkets } from '@svc/devnet'
import { paidEndpoints, requestJson, splitEndpoint } from '@svc/operations'
import { base, baseSepolia } from '@svc/protocol'
import { actions, buildCalls, buildPermitTypedData, planPermit } from '@svc/protocol/actions'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { listen } from '@svc/serve'
import { numberToHex, parseEther, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDocuments } from '../../apps/api/src/contract/documents.ts'
import { feedPaths } from '../../apps/api/src/feeds.ts'
import { createDiscovery } from '../../apps/gateway/src/discovery/discovery.ts'
import { createFacilitator } from '../../apps/gateway/src/discovery/facilitator.ts'
import { navigation } from '../../apps/gateway/src/pages/layout.ts'
import {
  exactScheme,
  readPaymentRequired,
  readPaymentResponse,
  stockFetch,
} from '../../apps/gateway/test/stockClient.ts'
import { createFolderStore } from '../../apps/store/src/objects/folderStore.ts'
import { createTaskSource } from '../../apps/store/src/taskAccess.ts'
import manifest from '../../apps/tools/package.json' with { type: 'json' }
import { loadMarkets } from '../../apps/tools/src/loadMarkets.ts'
import { connect } from '../../apps/tools/test/connect.ts'
import vectors from '../../packages/protocol/vectors/calls.json' with { type: 'json' }
import { findFreePort } from '../harness/freePorts.ts'
import { startTestGateway, type TestGateway } from '../harness/gateway.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { runTool, type ToolName } from '../harness/runTool.ts'
import { type Service, startService } from '../harness/service.ts'
import { startTestStore, type TestStore, testDomain } from '../harness/storeApp.ts'
import { startTestNotifier } from '../notifier/notifierApp.ts'
import { ownActions } from '../protocol/cases.ts'
import { signInDevice } from '../store/devices.ts'

// Every surface on the testnet: what it says, and what it asks a wallet to sign, is for that chain and no other.
const { id, name, banner } = baseSepolia
const chainId = numberToHex(id)
const network = `eip155:${id}`
const from = accounts.newcomer.address
const taskId = 'v2:micro:1'
const topUp = { market: 'micro', amountUsdc: '5000000' }

let world: IndexedWorld
let service: Service
let gateway: TestGateway
let store: TestStore
let url: string
let folder: string
let env: Record<string, string>
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'testnet-'))
  world = await startIndexedWorld({
    chainId: id,
    async fill(client, deployments, present) {
      await setUpMarkets(client, deployments)
      await advanceTimeTo(client, present)
      await refreshPrice(client, accounts.keeper)
      const offer = { poster: accounts.ada, text: 'Draw a map\n\nAll of it.', amounts: [10n ** 18n], duration: 86_400 }
      await sendPost(createScene(client, deployments, 'micro'), offer)
      return []
    },
  })
  const { devnet, database, providers } = world
  store = await startTestStore({
    objects: createFolderStore(join(folder, 'objects')),
    databaseUrl: database.url,
    tasks: createTaskSource(providers, getMarketDeployment(devnet.deployments)),
    deployments: devnet.deployments,
    verifySignature: verifyKeySignature,
  })
  service = await startService(world, { store: { url: store.url, address: accounts.store.address } })
  const listening = await listen({
    fetch: service.app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 100,
    onFault: console.error,
  })
  closing.push(() => listening.close(1_000))
  url = `http://127.0.0.1:${listening.port}`
  gateway = await startPaidGateway()
  env = {
    CHAIN_RPC_URL: devnet.rpcUrl,
    SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
    SVC_API_URL: url,
    SVC_GATEWAY_URL: gateway.url,
    HOME: folder,
    PRIVATE_KEY: publicKeys.emeka,
  }
  await saveDeployments(env.SVC_DEPLOYMENTS ?? '', devnet.deployments)
})
afterAll(async () => {
  await gateway?.stop()
  for (const close of closing) await close()
  await service?.stop()
  await store?.stop()
  await world?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A gateway that sells the list of tasks for USDC. */
async function startPaidGateway(): Promise<TestGateway> {
  const key = generatePrivateKey()
  await world.devnet.client.setBalance({ address: privateKeyToAddress(key), value: parseEther('1') })
  const [provider] = world.providers.all
  if (!provider) throw new Error('no provider')
  const port = await findFreePort()
  const discovery = createDiscovery({
    baseUrl: `http://127.0.0.1:${port}`,
    chainId: id,
    price: '$0.01',
    payTo: accounts.treasury.address,
    facilitator: createFacilitator(provider, key),
  })
  return startTestGateway(world.devnet, { port, discovery })
}

/** Lists what a text says of the chain of production. */
function findProduction(text: string): string[] {
  const hosts = [base.explorerUrl, base.rpcUrl].map((each) => new URL(each).host.replaceAll('.', '\\.'))
  const words = [base.id, numberToHex(base.id), base.usdc, ...hosts.map((host) => `(?<![\\w.-])${host}`)]
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b|\\b${base.name}\\b(?! Sepolia)(?! URL)`, 'g')
  return text.match(pattern) ?? []
}

const post = (path: string, body: object) =>
  service.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a mention of the chain of production is found', () => {
  for (const text of ['chain 8453', 'https://basescan.org/tx', 'on Base now', base.usdc, '"0x2105"']) {
    expect(findProduction(text), text).toHaveLength(1)
  }
  expect(findProduction('84532 https://sepolia.basescan.org Base Sepolia, Base URL')).toEqual([])
})

test('USDC takes a permit that is signed for its name on the testnet', async () => {
  const { client, deployments } = world.devnet
  expect(deployments).toMatchObject({ chainId: id, shared: { usdc: baseSepolia.usdc } })
  const places = getMarketDeployment(deployments)
  const calls = buildCalls(
    actions['top-up'],
    { market: 'micro', amountUsdc: 5_000_000n },
    { from, contracts: places.markets.micro },
  )
  const plan = planPermit(calls, places.markets)
  if (!plan) throw new Error('A top-up takes a permit.')
  const deadline = (await client.getBlock()).timestamp + 600n
  const typedData = buildPermitTypedData(plan, { chainId: id, owner: from, nonce: 0n, deadline })
  expect(typedData.domain).toEqual({ name: 'USDC', version: '2', chainId: id, verifyingContract: baseSepolia.usdc })
  const { r, s, v } = parseSignature(await accounts.newcomer.signTypedData(typedData))
  const { to, data } = plan.buildCall({ deadline, v: Number(v), r, s })
  await expect(client.call({ account: from, to, data })).resolves.toBeDefined()
  const wrong = { ...typedData, domain: { ...typedData.domain, name: base.usdcName } }
  const other = parseSignature(await accounts.newcomer.signTypedData(wrong))
  const refused = plan.buildCall({ deadline, v: Number(other.v), r: other.r, s: other.s })
  await expect(client.call({ account: from, to, data: refused.data })).rejects.toThrow()
})

test('the API names the testnet, and prepares calls for it', async () => {
  const config = await (await service.app.request('/api/site-config?market=micro')).json()
  expect(config).toMatchObject({ chainId: id, chainName: name, contracts: { usdc: baseSepolia.usdc } })
  const prepared = await post('/api/actions/prepare', { action: 'top-up', from, input: topUp })
  expect(await prepared.json()).toMatchObject({ chainId })
})

test.each(ownActions.map((action) => [action.name, action] as const))(
  '%s is prepared for the testnet',
  async (_, action) => {
    const [json = ''] = vectors.inputs.filter((_, index) => vectors.names[index] === action.name)
    const given = JSON.parse(json)
    // Without a store: a text with a key statement is another test's concern.
    const terms = given.terms && { terms: { ...given.terms, store: null } }
    const input = { ...given, ...terms, ...(given.taskId ? { taskId } : { market: 'micro' }) }
    const query = { action, input, from, domains: [testDomain] }
    expect(
      await prepareActionJson(world.providers, getMarketDeployment(world.devnet.deployments), query),
    ).toMatchObject({
      chainId,
    })
  },
)

test.each([
  ...createDocuments().map(({ path }) => path),
  ...feedPaths.map((path) => (path.includes('wallet') ? `${path}?address=${from}` : path)),
  '/api/market/recent?market=micro',
])('%s does not name another chain', async (path) => {
  const response = await service.app.request(path)
  expect(response.status).toBe(200)
  expect(findProduction(await response.text())).toEqual([])
})

test('every page of the gateway says that this is the testnet, and names no other chain', async () => {
  expect(await (await gateway.fetch('/v1/status')).json()).toMatchObject({ chainId: id, chainName: name })
  const response = await gateway.post('/v1/requests', { action: 'top-up', from, input: topUp })
  const request = requestJson.parse(await response.json())
  expect(request.chainId).toBe(chainId)
  const approval = new URL(request.approvalUrl).pathname
  for (const path of [...navigation.map(([path]) => path), approval, '/approve/none']) {
    const page = await (await gateway.fetch(path)).text()
    expect(page, path).toContain(banner)
    expect(findProduction(page), path).toEqual([])
  }
  const page = await (await gateway.fetch(approval)).text()
  expect(page).toContain(`Switch to ${name}`)
  expect(page).toContain(`"rpcUrls":["${baseSepolia.rpcUrl}"]`)
  expect(await (await gateway.fetch('/')).text()).toContain(`${name} <span class="soft">${id} · ${chainId}</span>`)
})

test('a stock x402 client pays the gateway with the USDC of the testnet', async () => {
  const { path } = splitEndpoint(paidEndpoints.listOpenTasks)
  const [ask, claim] = [await gateway.fetch(path), await gateway.post(`/v1/tasks/${taskId}/claim`)]
  expect(readPaymentRequired(ask).accepts).toMatchObject([
    { network, asset: baseSepolia.usdc, extra: { name: 'USDC' } },
  ])
  expect(readPaymentRequired(claim).accepts).toMatchObject([{ network }])
  const paid = await stockFetch(exactScheme(accounts.newcomer), fetch, id)(`${gateway.url}${path}`)
  expect(paid.status).toBe(200)
  expect(readPaymentResponse(paid)).toMatchObject({ success: true, network, payer: from })
})

test('the store and the notifier take sign-ins for the testnet only', async () => {
  const notifier = await startTestNotifier({ databaseUrl: world.database.url, chainId: id })
  try {
    const { keys } = await signInDevice(store.url, accounts.emeka, { chainId: id })
    expect(keys.statement?.message).toContain(`Chain ID: ${id}`)
    await expect(signInDevice(store.url, accounts.goran, { chainId: base.id })).rejects.toThrow(/chain/i)
    expect(await (await notifier.connect(accounts.emeka)).listNotifications({})).toMatchObject({
      body: { notifications: [] },
    })
  } finally {
    await notifier.stop()
  }
})

/** One run of every command: what it must say, and where. */
const runs: Record<ToolName, () => Promise<{ text: string; says: string }>> = {
  'svc-tools': async () => {
    const main = new URL('../../apps/tools/src/svc-tools.ts', import.meta.url).pathname
    const client = await connect({ command: process.execPath, args: [main], env }, 'auto')
    try {
      const prepared = await client.callTool({
        name: 'svc_prepare',
        arguments: { action: 'top-up', input: topUp, address: from, calls: true },
      })
      const checklist = await client.callTool({
        name: 'svc_onboarding_checklist',
        arguments: { address: from, market: 'micro' },
      })
      return { text: JSON.stringify([prepared, checklist]), says: chainId }
    } finally {
      await client.close()
    }
  },
  'svc-prepare': async () => {
    const args = ['top-up', '--market', 'micro', '--amount', '5 USDC', '--from', from, '--no-wait', '--json']
    return { text: await run('svc-prepare', args), says: `"chainId": "${chainId}"` }
  },
  'svc-negotiate': async () => ({ text: await propose('svc-negotiate', ['propose']), says: `"chainId":${id}` }),
  'send-proposal': async () => ({ text: await propose('send-proposal', []), says: `"chainId":${id}` }),
  'svc-verify': async () => ({
    text: await run('svc-verify', [`${url}/api/market/task?id=${taskId}`]),
    says: 'equal: ',
  }),
  'svc-work': async () => {
    const file = join(folder, 'statement.json')
    await run('svc-work', ['sign-in', '--domain', testDomain, '--store', store.url, '--statement', file])
    return { text: await readFile(file, 'utf8'), says: `Chain ID: ${id}` }
  },
  // The delegation framework is not on this chain: it looks where the testnet has it.
  'svc-agent': async () => {
    const grant = ['grant', '--claims', '1', '--until', '2040-01-01T00:00Z', '--folder', join(folder, 'agent')]
    const { output, errors } = await runTool('svc-agent', [...grant, '--api', url], env)
    return { text: output + errors, says: `on chain ${id}` }
  },
}

async function run(program: ToolName, args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runTool(program, args, env)
  expect(code, `${output}${errors}`).toBe(0)
  return output
}

/** Proposes a task with a command, and returns the message. */
async function propose(program: ToolName, command: readonly string[]): Promise<string> {
  const mailbox = join(folder, program)
  const draft = join(folder, `${program}.json`)
  const milestones = [{ title: 'All of it', amount: '500', duration: '2 days' }]
  const terms = { market: 'micro', poster: accounts.ada.address, worker: accounts.emeka.address, store: 'none' }
  await writeFile(draft, JSON.stringify({ ...terms, title: 'Draw a map', criteria: 'Of the harbour.', milestones }))
  await run(program, [...command, draft, '--mailbox', mailbox, '--dir', join(folder, `${program}-transcripts`)])
  const files = (await readdir(mailbox, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  return (await Promise.all(files.map((each) => readFile(join(each.parentPath, each.name), 'utf8')))).join('\n')
}

test('there is a run of every command', () => {
  expect(Object.keys(runs).sort()).toEqual(Object.keys(manifest.bin).sort())
})

test.each(Object.entries(runs))('%s works on the testnet, and names no other chain', async (_, start) => {
  const { text, says } = await start()
  expect(text).toContain(says)
  expect(findProduction(text)).toEqual([])
})

test('without an RPC URL, the tools ask the public endpoint of the chain that the API names', async () => {
  const asked = new Set<string>()
  const real = fetch
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const { host, hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname === '127.0.0.1') return real(input, init)
    asked.add(host)
    return Promise.reject(new TypeError('fetch failed'))
  })
  try {
    await expect(loadMarkets({ SVC_API_URL: url, HOME: folder }, () => {})).rejects.toThrow()
  } finally {
    vi.unstubAllGlobals()
  }
  expect([...asked]).toEqual([new URL(baseSepolia.rpcUrl).host])
})
