import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '@svc/simulation/random'
import type { Heard } from './deliveryFaults.ts'

/** A receiver of webhooks that can be killed. It remembers every message that it read, also if its answer was lost. */
export interface Receiver {
  url: string
  heard: readonly Heard[]
  /** Cuts every connection and refuses new ones until it is started again. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Answers everything properly from now on. */
  calm: () => void
}

/** Starts a receiver that sometimes fails, hangs, or loses its answer after it read the message. */
export async function startFragileReceiver(random: Random): Promise<Receiver> {
  const heard: Heard[] = []
  let isCalm = false
  let server: Server | null = null
  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const next = createServer(async (request, response) => {
        const parts = await request.toArray().catch(() => null)
        if (!parts) return
        const fate = isCalm ? 'read' : random.pick(['read', 'read', 'read', 'read', 'refuse', 'hang', 'lose'] as const)
        if (fate === 'refuse') return void response.writeHead(503).end()
        if (fate === 'hang') return
        heard.push(JSON.parse(Buffer.concat(parts).toString('utf8')) as Heard)
        if (fate === 'lose') return void request.socket.destroy()
        response.writeHead(204).end()
      })
      next.once('error', reject)
      next.listen(port, '127.0.0.1', () => resolve(next))
    })
  server = await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    heard,
    async kill() {
      const old = server
      server = null
      old?.closeAllConnections()
      await new Promise((done) => (old ? old.close(done) : done(undefined)))
    },
    async start() {
      server ??= await listen(port)
    },
    calm() {
      isCalm = true
    },
  }
}
