import { createServer, type Server } from 'node:net'
import { openPort } from '../../scripts/dev/openPort.ts'

/** Returns a port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const port = await openPort(0)
  if (port === null) throw new Error('Found no free port.')
  return port
}

/** Returns `count` different ports that were free a moment ago. */
export async function findFreePorts(count: number): Promise<number[]> {
  const listening = () =>
    new Promise<Server>((done) => {
      const server = createServer().listen(0, '127.0.0.1', () => done(server))
    })
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
