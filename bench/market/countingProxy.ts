import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const call = z.object({ method: z.string() })
const body = z.union([call.transform((each) => [each]), z.array(call)])

/** A provider in front of a node that counts calls by method. Each call of a batch counts. */
export async function startCountingProxy(to: string) {
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    for (const { method } of body.parse(JSON.parse(text))) counts.set(method, (counts.get(method) ?? 0) + 1)
    const answer = await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
