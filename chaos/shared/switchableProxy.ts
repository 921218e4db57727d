import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a local server that can be switched off, so that connections are refused. */
export interface SwitchableProxy {
  /** The same URL, through the proxy. */
  url: string
  open: () => Promise<void>
  close: () => Promise<void>
}

/** Creates a proxy in front of the server of this URL, switched off. */
export async function createSwitchableProxy(to: string): Promise<SwitchableProxy> {
  const target = Number(new URL(to).port)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  // Listening once finds a free port.
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  await close()
  const url = new URL(to)
  url.port = String(port)
  return { url: url.href, open: () => listen(port), close }
}
