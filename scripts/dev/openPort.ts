import { createServer } from 'node:net'

/** Finds a free local port: the requested one, null if it is taken, or any port for zero. */
export async function openPort(wanted: number): Promise<number | null> {
  const server = createServer()
  const isOpen = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(wanted, '127.0.0.1', () => done(true))
  })
  if (!isOpen) return null
  const address = server.address()
  await new Promise((done) => server.close(done))
  return address && typeof address === 'object' ? address.port : null
}
