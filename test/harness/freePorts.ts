import { createServer, type Server } from 'node:net'

/** So many ports that nobody listened on a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const listening = () =>
    new Promise<Server>((done) => {
      const server = createServer().listen(0, '127.0.0.1', () => done(server))
    })
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
