import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import {
  accounts,
  createScene,
  type Devnet,
  type Scene,
  sendApprovals,
  sendCall,
  sendPost,
  sendRegistration,
  sendStake,
  sendTopUp,
  type World,
} from '@svc/devnet'
import type { Comparison } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import { type Market, parseAmount } from '@svc/protocol'
import { arbitrationAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { listen, migrateSchema } from '@svc/serve'
import { encodeFunctionData, type LocalAccount } from 'viem'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolServer } from '../../apps/tools/src/server.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { tools as allTools } from '../../apps/tools/src/tools/index.ts'
import { createToolWork } from '../../apps/tools/src/work/toolWork.ts'
import { chatOver } from '../api/conformance/conditions.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { type FakeGateway, formatCompletion, startFakeGateway } from '../harness/fakeGateway.ts'
import { startTestGateway } from '../harness/gateway.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { payForPlan, postTask, type RecordBody, type UpgradeBody } from '../harness/posters.ts'
import { startService } from '../harness/service.ts'
import type { Answer, Call, Json, JsonObject, Request } from './call.ts'
import { type Facts, readChainFacts } from './facts.ts'
import { parsePage } from './parsePage.ts'
import { publishProfiles, saveComparisons } from './savedRows.ts'
import { createWorkMachine, startWorkServices, type WorkMachine, type WorkServices } from './workServices.ts'

/** Two markets with nothing in common, and every service over them. Nothing happens on their chain any more. */
export interface BehaviourWorld extends Differences {
  devnet: Devnet
  demoTasks: IndexedWorld['demoTasks']
  bundles: IndexedWorld['bundles']
  facts: Facts
  /** USDC of the wallet that asks the gateway. */
  usdcOfIvo: bigint
  /** What the API asks, and what it gets from the chat gateway. */
  chatGateway: FakeGateway
  gatewayUrl: string
  apiUrl: string
  /** The store and the notifier of both markets. */
  services: WorkServices
  /** Where the tools keep keys, messages and files. */
  machine: WorkMachine
  /** Profiles that wallets signed, as canonical JSON. */
  profiles: readonly JsonObject[]
  /** How the index last compared with the contracts, as saved for these checks. */
  comparisons: Readonly<Record<Market, Comparison>>
  call: Call
  stop: () => Promise<void>
}

/** What differs between the markets beyond the demo world. */
interface Differences {
  /** Posts of today that were never recorded, by market. */
  posts: Readonly<Record<Market, readonly RecordBody[]>>
  /** Plans that were paid for and never submitted, by market. */
  payments: Readonly<Record<Market, UpgradeBody>>
}

/** Starts the demo world, makes its markets differ, and starts the services. */
export async function startBehaviourWorld(): Promise<BehaviourWorld> {
  const made: { differences?: Differences } = {}
  const world = await startIndexedWorld({
    async start(): Promise<World> {
      const demo = await startDemoWorld()
      made.differences = await makeMarketsDiffer(demo.devnet)
      return demo
    },
  })
  if (!made.differences) throw new Error('The world was not started.')
  const ends: (() => unknown)[] = [() => world.stop()]
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
  }
  /** Stops what was started when the world stops. */
  const stopLater = async <T extends { stop: () => unknown }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    ends.push(() => started.stop())
    return started
  }
  try {
    const { devnet, sql, demoTasks, bundles } = world
    const [chatGateway, services, gateway, facts, usdcOfIvo, comparisons] = await Promise.all([
      stopLater(startFakeGateway()),
      stopLater(startWorkServices(devnet, bundles)),
      stopLater(startTestGateway(devnet)),
      readChainFacts(devnet),
      devnet.client.readContract({
        address: devnet.deployments.shared.usdc,
        abi: tokTokenAbi,
        functionName: 'balanceOf',
        args: [accounts.ivo.address],
      }),
      saveComparisons(world),
      migrateSchema(sql, profilesSchema),
    ])
    chatGateway.answer((response) => response.end(formatCompletion('A task is work for a wallet.', 'fake-2')))
    const service = await stopLater(
      startService(world, {
        chat: chatOver(chatGateway),
        store: { address: accounts.store.address, url: services.url },
        notifierUrl: services.url,
      }),
    )
    const onFault = (error: unknown) => console.error(error)
    const api = await listen({ fetch: service.app.fetch, port: 0, hostname: '127.0.0.1', maxConnections: 100, onFault })
    ends.push(() => api.close(100))
    const apiUrl = `http://127.0.0.1:${api.port}`
    const [profiles, machine] = await Promise.all([
      publishProfiles(world, new URL(apiUrl).host),
      stopLater(createWorkMachine(apiUrl, services)),
    ])
    const tools = openMarkets([devnet.rpcUrl], devnet.deployments)
    const env = { SVC_API_URL: apiUrl, SVC_STORE_URL: services.url, SVC_WORK_FOLDER: machine.work }
    const deps = createToolDeps(tools, gateway.url, apiUrl, createToolWork(tools, env, machine.home))
    const client = new Client({ name: 'behaviour', version: '1.0.0' })
    const [here, there] = InMemoryTransport.createLinkedPair()
    await createToolServer(deps, onFault, allTools).connect(there)
    await client.connect(here)
    ends.push(() => client.close())

    const call: Call = (request) => {
      if (request.to.startsWith('svc_')) return callTool(client, request)
      if (request.to.includes(' /api/')) return fetchAnswer(request, apiUrl, (asked) => service.app.request(asked))
      return fetchAnswer(request, gateway.url, fetch)
    }
    return {
      ...made.differences,
      devnet,
      demoTasks,
      bundles,
      facts,
      usdcOfIvo,
      chatGateway,
      gatewayUrl: gateway.url,
      apiUrl,
      services,
      machine,
      profiles,
      comparisons,
      call,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Calls a tool over MCP. */
async function callTool(client: Client, { to: name, input }: Request): Promise<Answer> {
  const { isError, content } = await client.callTool({ name, arguments: { ...input } })
  const [said] = Array.isArray(content) ? content : []
  if (said?.type !== 'text') throw new Error(`${name} says nothing.`)
  return { status: isError ? 400 : 200, body: JSON.parse(said.text) }
}

/** Sends a request over HTTP. Parameters of the path are taken from the input; the others are the query or the body. */
async function fetchAnswer(
  { to, input, headers = {} }: Request,
  baseUrl: string,
  send: (request: globalThis.Request) => Promise<Response>,
): Promise<Answer> {
  const [method = '', form = ''] = to.split(' ')
  const taken = new Set<string>()
  const path = form.replaceAll(/:(\w+)/g, (_, name: string) => {
    taken.add(name)
    return encodeURIComponent(String(input[name] ?? ''))
  })
  const rest = Object.entries(input).filter(([name]) => !taken.has(name))
  const url = new URL(path, baseUrl)
  if (method === 'GET') for (const [name, value] of rest) url.searchParams.set(name, String(value))
  // A claim of the gateway has no body.
  const isBare = rest.length === 0 && !form.startsWith('/api/')
  const body = method === 'GET' || isBare ? null : JSON.stringify(Object.fromEntries(rest))
  const response = await send(
    new globalThis.Request(url, {
      method,
      headers: { ...(body !== null && { 'content-type': 'application/json' }), ...headers },
      body,
    }),
  )
  const text = await response.text()
  const isHtml = response.headers.get('content-type')?.startsWith('text/html')
  const parsed: Json = isHtml ? parsePage(text) : JSON.parse(text)
  return { status: response.status, body: parsed }
}

const tok = (amount: string) => parseAmount(amount, 'tok')
const usd = (amount: string) => parseAmount(amount, 'usdc')

/** Sends what makes the two markets differ in what the demo world has in both. The chain's time goes on by seconds only. */
async function makeMarketsDiffer({ client, deployments }: Devnet): Promise<Differences> {
  const [standard, micro] = [createScene(client, deployments, 'standard'), createScene(client, deployments, 'micro')]
  const { ada, bruno, devi, emeka, goran, ivo, jun, kofi, mateo, nadia, newcomer, olga } = accounts
  await sendStake(micro, goran, tok('123,456.75'))
  await sendStake(standard, ada, tok('4,321'))
  // In the micro market another arbitrator comes first, and in the standard market one leaves.
  await sendRegistration(micro, jun, tok('2,000,000'))
  await sendRegistration(micro, kofi, tok('1,111'))
  await sendCall(client, nadia, {
    address: standard.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'requestUnbond',
    args: [],
  })
  // One deposit below each threshold.
  for (const scene of [standard, micro])
    for (const account of [newcomer, olga, mateo]) await sendApprovals(scene, account)
  await sendTopUp(standard, newcomer, usd('6.5'))
  await sendTopUp(micro, newcomer, usd('112'))
  await sendTopUp(micro, olga, usd('31'))
  await sendTopUp(standard, mateo, usd('9'))
  await sendTopUp(micro, emeka, usd('33.25'))
  await sendTopUp(standard, bruno, usd('0.75'))
  await scheduleSunset(micro)
  const posts = {
    standard: [await postTask(standard, ivo, tok('310'))],
    micro: [
      await postTask(micro, ivo, tok('7')),
      await postTask(micro, ivo, tok('8')),
      await postTask(micro, ivo, tok('9')),
    ],
  }
  await postSpecial(standard, goran, { arbitrator: kofi, amounts: ['1,500', '250'] })
  await postSpecial(micro, goran, { arbitrator: mateo, amounts: ['40', '50', '60'] })
  const payments = {
    standard: await payForPlan(standard, devi, 'basic', 'tok'),
    micro: await payForPlan(micro, devi, 'pro', 'usdc'),
  }
  return { posts, payments }
}

/** Posts a task with terms that no open task of the demo world has. */
async function postSpecial(
  scene: Scene,
  poster: LocalAccount,
  { arbitrator, amounts }: { arbitrator: LocalAccount; amounts: readonly string[] },
): Promise<void> {
  await sendPost(
    scene,
    {
      poster,
      text: `A survey of ${scene.market} gardens\n\nEvery garden once, with a photo.`,
      titles: amounts.map((_, index) => `Part ${index + 1}`),
      tags: ['survey', `lang:${scene.market === 'micro' ? 'pt' : 'sw'}`],
      amounts: amounts.map(tok),
      duration: amounts.map((_, index) => scene.params.minDuration * (index + 2)),
      reviewWindow: scene.params.minReviewWindow * 2,
      maxRevisions: scene.market === 'micro' ? 2 : 3,
      arbitrator: arbitrator.address,
      store: accounts.store.address,
      permitOnly: true,
    },
    tok(amounts[1] ?? '0'),
  )
}

/** Announces the end of a market, years from now. The owner is a timelock of two days, after which the demo world would be old. */
async function scheduleSunset({ client, contracts }: Scene): Promise<void> {
  const { timelock: owner, taskRegistry: to } = contracts
  const { timestamp } = await client.getBlock()
  const data = encodeFunctionData({
    abi: taskRegistryAbi,
    functionName: 'sunset',
    args: [timestamp + 1_000n * 86_400n],
  })
  await client.setBalance({ address: owner, value: 10n ** 18n })
  await client.impersonateAccount({ address: owner })
  const hash = await client.sendTransaction({ account: owner, to, data })
  await client.waitForTransactionReceipt({ hash })
  await client.stopImpersonatingAccount({ address: owner })
}
