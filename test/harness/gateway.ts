import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import {
  accounts,
  advanceTimeTo,
  createScene,
  type Devnet,
  refreshPrice,
  sendPost,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { formatTaskId, type Market } from '@svc/protocol'
import { createLog, type Fetch, listen } from '@svc/serve'
import type { LocalAccount } from 'viem'
import { gatewayOpenapi } from '../../apps/gateway/src/contract/openapi.ts'
import { createGateway, type GatewayOptions } from '../../apps/gateway/src/gateway.ts'
import { findFreePort } from './freePorts.ts'

/** Starts a devnet whose accounts have money, deposits and allowances, but no tasks. Takes a few seconds. */
export async function startFundedDevnet(): Promise<Devnet> {
  const present = Math.floor(Date.now() / 1000)
  // Opening the Union takes two days in the timelock.
  const devnet = await startDevnet({ genesisTime: present - 3 * 86_400 })
  await setUpMarkets(devnet.client, devnet.deployments)
  await advanceTimeTo(devnet.client, present)
  await refreshPrice(devnet.client, accounts.keeper)
  return devnet
}

/** Posts a task that anyone may claim, and returns its id. */
export async function postOpenTask(
  { client, deployments }: Devnet,
  {
    market = 'standard',
    poster = accounts.ada,
    permitOnly = false,
  }: { market?: Market; poster?: LocalAccount; permitOnly?: boolean } = {},
): Promise<string> {
  const scene = createScene(client, deployments, market)
  const offer = { poster, text: 'Count the birds\n\nAll of them.', amounts: [10n ** 18n], duration: 86_400, permitOnly }
  return formatTaskId({ market, number: (await sendPost(scene, offer)).id })
}

/** A gateway on its own port, in this process. */
export interface TestGateway {
  url: string
  port: number
  stateFile: string
  lines: string[]
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>
  stop: () => Promise<void>
}

/** Starts a gateway over a devnet, with a temporary state file unless one is given. Stopping it fails if a status was not documented. */
export async function startTestGateway(
  { rpcUrl, deployments }: Pick<Devnet, 'rpcUrl' | 'deployments'>,
  options: Partial<GatewayOptions> & { hostname?: string } = {},
): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const port = options.port ?? (await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const stateFile = options.stateFile ?? join(folder, 'requests.sqlite')
  const lines: string[] = []
  const log = createLog({ level: 'info', secrets: [], to: { write: (line) => lines.push(line) } })
  const gateway = await createGateway({
    providers: createProviders([createRpc({ name: 'anvil', url: rpcUrl })], createViemChain(deployments.chainId)),
    deployments,
    baseUrl: url,
    port,
    stateFile,
    assets: new Map(),
    log,
    perMinute: { reads: 1_000_000, calls: 1_000_000 },
    pollMs: 50,
    ...options,
  })
  const onFault = (err: unknown) => log.error({ err }, 'fault')
  const undocumented = new Set<string>()
  const watched: Fetch = async (request, connection) => {
    const response = await gateway.fetch(request, connection)
    if (!isDocumented(request, response)) undocumented.add(`${request.method} ${request.url} ${response.status}`)
    return response
  }
  const listening = await listen({ fetch: watched, port, hostname: '127.0.0.1', maxConnections: 2_000, onFault })
  const ask = (path: string, init?: RequestInit) => fetch(new URL(path, url), init)
  return {
    url,
    port,
    stateFile,
    lines,
    fetch: ask,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      }),
    async stop() {
      const ended = gateway.stop()
      await listening.close(1_000)
      await ended
      await rm(folder, { recursive: true, force: true })
      if (undocumented.size > 0) throw new Error(`Not in openapi.yaml: ${[...undocumented].join(', ')}`)
    },
  }
}

const documented = Object.entries(gatewayOpenapi().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    statuses: Object.keys(responses).map(Number),
  })),
)

/** Whether openapi.yaml has the status that a route answered with. Other paths and methods are not its concern. */
function isDocumented({ method, url }: Request, { status }: Response): boolean {
  const { pathname } = new URL(url)
  const route = documented.find((each) => each.method === method && each.form.test(pathname))
  return !route || route.statuses.includes(status)
}
