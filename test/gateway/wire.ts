import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A wire to the chain that counts what goes over it, and that can be cut. */
export interface Wire {
  url: string
  isCut: boolean
  calls: number
  stop: () => void
}

/** Lays it to an RPC. */
export async function startWire(target: string): Promise<Wire> {
  const server = createServer(async (request, response) => {
    wire.calls++
    if (wire.isCut) return void response.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', body: Buffer.concat(chunks), headers })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wire: Wire = { url, isCut: false, calls: 0, stop: () => void server.close() }
  return wire
}
