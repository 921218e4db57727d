import { createServer } from 'node:net'

/** A port of this machine that nobody listened on a moment ago: the wanted one, null when it is taken, or any for zero. */
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
