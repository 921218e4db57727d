import { join } from 'node:path'
import { createProviders, createRpc, createViemChain, type Deployments } from '@svc/chain'
import { createLog, type Listening, listen } from '@svc/serve'
import { createGateway, type Gateway } from '../../apps/gateway/src/gateway.ts'

/** The gateway app on a socket, which can go away and come back with the same file. */
export interface RealGateway {
  url: string
  up: () => Promise<void>
  down: () => Promise<void>
  /** Puts its clock ahead. */
  later: (ms: number) => void
}

/** Starts the gateway over a chain, with its state in a folder. */
export async function startRealGateway(world: {
  rpcUrl: string
  deployments: Deployments
  folder: string
}): Promise<RealGateway> {
  const providers = createProviders([createRpc({ name: 'devnet', url: world.rpcUrl })], createViemChain(8453))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let [ahead, gateway, listening] = [0, null as Gateway | null, null as Listening | null]
  const real: RealGateway = {
    url,
    async up() {
      gateway = await createGateway({
        providers,
        deployments: world.deployments,
        baseUrl: url,
        port,
        stateFile: join(world.folder, 'requests.sqlite'),
        assets: new Map(),
        log: createLog({ level: 'error', secrets: [], to: { write: () => {} } }),
        perMinute: { reads: 1_000_000, calls: 1_000_000 },
        now: () => Date.now() + ahead,
        pollMs: 50,
      })
      listening = await listen({
        fetch: gateway.fetch,
        port,
        hostname: '127.0.0.1',
        maxConnections: 100,
        onFault: () => {},
      })
    },
    async down() {
      const ended = gateway?.stop()
      await listening?.close(0)
      await ended
      gateway = null
    },
    later: (ms) => {
      ahead += ms
    },
  }
  await real.up()
  return real
}

async function freePort(): Promise<number> {
  const taken = await listen({
    fetch: async () => new Response(),
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 1,
    onFault: () => {},
  })
  await taken.close(0)
  return taken.port
}
