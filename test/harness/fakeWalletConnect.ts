import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import * as z from 'zod'
import { createChainWallet } from './chainWallet.ts'

/** A fake of WalletConnect's relay on loopback, and a wallet on a phone that speaks through it with WalletConnect's own code. */
export interface FakeWalletConnect {
  /** Where the relay listens. */
  relayUrl: string
  /** What the owner of the wallet confirmed, in its order. */
  prompts: string[]
  /** Scans the code on a page, then approves the session. */
  scan: (page: Page) => Promise<void>
  /** Answers what the site reads from the chain through the wallet's connection. */
  request: (method: string, params: readonly unknown[]) => Promise<unknown>
  close: () => Promise<void>
}

const call = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
})
/** What the owner of the wallet is asked about. */
const prompting = ['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign', 'wallet_sendCalls']
const topics = z.array(z.string())
const proposal = z.object({ id: z.number() })
const asked = z.object({
  id: z.number(),
  topic: z.string(),
  params: z.object({ request: z.object({ method: z.string(), params: z.unknown() }) }),
})

/** What this wallet uses of the sign client. */
interface SignClient {
  on: (event: 'session_proposal' | 'session_request', hear: (event: unknown) => void) => void
  pair: (options: { uri: string }) => Promise<unknown>
  approve: (options: object) => Promise<{ acknowledged: () => Promise<unknown> }>
  respond: (options: object) => Promise<void>
  core: { relayer: { transportClose: () => Promise<void> }; heartbeat: { stop: () => void } }
}

/** What the relay uses of a server of sockets. */
interface SocketServer {
  on: (event: 'connection', hear: (socket: Socket) => void) => void
  once: (event: 'listening', hear: () => void) => void
  address: () => { port: number }
  clients: Set<{ terminate: () => void }>
  close: (done: () => void) => void
}
interface Image {
  width: number
  height: number
  data: Uint8Array
}

/** Takes a picture of the code on a page, of four pixels to a square. */
async function readCode(page: Page): Promise<Image> {
  const code = page.getByRole('img', { name: 'Code that connects your wallet' })
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]) * 4
  const data = new Uint8Array(size * size * 4).fill(255)
  for (const [, x, y] of ((await code.locator('path').getAttribute('d')) ?? '').matchAll(/M(\d+) (\d+)/g))
    for (let row = 0; row < 4; row++) {
      const start = ((Number(y) * 4 + row) * size + Number(x) * 4) * 4
      for (let pixel = start; pixel < start + 16; pixel += 4) data.fill(0, pixel, pixel + 3)
    }
  return { width: size, height: size, data }
}

interface Socket {
  on: (event: 'message' | 'close', hear: (data: unknown) => void) => void
  send: (text: string) => void
}

/** The copies that the site and viem come with. */
function loadLibraries() {
  const site = createRequire(new URL('../../apps/site/package.json', import.meta.url))
  const provider = createRequire(site.resolve('@walletconnect/ethereum-provider'))
  const universal = createRequire(provider.resolve('@walletconnect/universal-provider'))
  const sign: { SignClient: { init: (options: object) => Promise<SignClient> } } =
    universal('@walletconnect/sign-client')
  const ws: { WebSocketServer: new (options: object) => SocketServer } = createRequire(import.meta.resolve('viem'))(
    'ws',
  )
  const qr: { default: (image: Image) => string } = site('qr/decode.js')
  return { ...sign, ...ws, decodeCode: qr.default }
}

/** Starts the relay, and the wallet of an account. */
export async function startFakeWalletConnect(account: Address, rpcUrl: string): Promise<FakeWalletConnect> {
  const { SignClient, WebSocketServer, decodeCode } = loadLibraries()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((done) => server.once('listening', done))
  const relayUrl = `ws://127.0.0.1:${server.address().port}`
  relay(server)

  const wallet = createChainWallet(account, rpcUrl)
  const prompts: string[] = []
  const client = await SignClient.init({
    relayUrl,
    projectId: '0'.repeat(32),
    logger: 'silent',
    telemetryEnabled: false,
    metadata: { name: 'Fake phone', description: '', url: 'https://phone.example', icons: [] },
    // Nothing is left for the next run.
    storage: createStorage(),
  })
  client.on('session_request', async (event) => {
    const { id, topic, params } = asked.parse(event)
    const { method } = params.request
    if (prompting.includes(method)) prompts.push(method)
    const response = await wallet.request(method, z.array(z.unknown()).parse(params.request.params)).then(
      (result) => ({ id, jsonrpc: '2.0', result }),
      (error) => ({ id, jsonrpc: '2.0', error: { code: -32_603, message: String(error) } }),
    )
    await client.respond({ topic, response })
  })
  return {
    relayUrl,
    prompts,
    request: wallet.request,
    scan: async (page) => {
      const uri = decodeCode(await readCode(page))
      const proposed = new Promise<unknown>((done) => client.on('session_proposal', done))
      await client.pair({ uri })
      const { id } = proposal.parse(await proposed)
      prompts.push('session')
      const { acknowledged } = await client.approve({
        id,
        namespaces: {
          eip155: {
            chains: ['eip155:8453'],
            accounts: [`eip155:8453:${account}`],
            methods: [...prompting, 'wallet_getCapabilities', 'wallet_getCallsStatus'],
            events: ['accountsChanged', 'chainChanged'],
          },
        },
      })
      await acknowledged()
    },
    close: async () => {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
      for (const each of server.clients) each.terminate()
      await new Promise<void>((done) => server.close(done))
    },
  }
}

/** Passes messages to whoever subscribed to their topic, as the relay does (`irn`). It keeps those for which nobody was there. */
function relay(server: SocketServer): void {
  const kept = new Map<string, { from: Socket; data: object }[]>()
  const subscribers = new Map<string, Set<Socket>>()
  let count = 0
  const deliver = (to: Socket, topic: string, data: object) =>
    to.send(JSON.stringify({ id: ++count, jsonrpc: '2.0', method: 'irn_subscription', params: { id: topic, data } }))
  const publish = (from: Socket, topic: string, message: unknown, tag: unknown) => {
    const data = { topic, message, tag, publishedAt: Date.now() }
    const listeners = [...(subscribers.get(topic) ?? [])].filter((each) => each !== from)
    for (const each of listeners) deliver(each, topic, data)
    if (listeners.length === 0) kept.set(topic, [...(kept.get(topic) ?? []), { from, data }])
    return true
  }
  const subscribe = (socket: Socket, topic: string) => {
    subscribers.set(topic, (subscribers.get(topic) ?? new Set()).add(socket))
    // After the answer, what the other side has sent before.
    setTimeout(() => {
      for (const { from, data } of kept.get(topic) ?? []) if (from !== socket) deliver(socket, topic, data)
    }, 10)
    return topic
  }
  const act = (socket: Socket, method: string, params: Record<string, unknown>): unknown => {
    switch (method) {
      case 'irn_publish':
        return publish(socket, String(params.topic), params.message, params.tag)
      case 'irn_subscribe':
        return subscribe(socket, String(params.topic))
      case 'irn_batchSubscribe':
        return topics.parse(params.topics).map((topic) => subscribe(socket, topic))
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'irn_unsubscribe':
        return subscribers.get(String(params.topic))?.delete(socket) ?? false
      // The site asks for a session on the topic of its code, and the wallet answers there and settles on the session's own.
      case 'wc_proposeSession':
        subscribe(socket, String(params.pairingTopic))
        return publish(socket, String(params.pairingTopic), params.sessionProposal, 1100)
      case 'wc_approveSession':
        subscribe(socket, String(params.sessionTopic))
        publish(socket, String(params.pairingTopic), params.sessionProposalResponse, 1101)
        return publish(socket, String(params.sessionTopic), params.sessionSettlementRequest, 1102)
      default:
        throw new Error(`The fake relay does not know ${method}.`)
    }
  }
  server.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { id, method, params } = call.parse(JSON.parse(String(text)))
      // Without a method it confirms a message.
      if (!method) return
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: act(socket, method, params) }))
    })
    socket.on('close', () => {
      for (const each of subscribers.values()) each.delete(socket)
    })
  })
}

/** Storage of the sign client in memory. */
function createStorage() {
  const values = new Map<string, unknown>()
  return {
    getKeys: async () => [...values.keys()],
    getEntries: async () => [...values.entries()],
    getItem: async (key: string) => values.get(key),
    setItem: async (key: string, value: unknown) => void values.set(key, value),
    removeItem: async (key: string) => void values.delete(key),
  }
}
