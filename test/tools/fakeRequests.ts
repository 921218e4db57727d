import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PreparedJson, RequestJson } from '@svc/operations'

/** A fake gateway for the tools, with one pending request. */
export interface FakeRequests {
  url: string
  requestId: string
  stop: () => Promise<void>
}

/** Starts a fake gateway with one pending request. */
export async function startFakeRequests(prepared: PreparedJson): Promise<FakeRequests> {
  const requestId = 'req_AbCdEfGhIjKlMnOpQrStUv'
  const server = createServer((request, response) => {
    // It gives everyone the same request.
    const isKnown = request.method === 'POST' || request.url?.startsWith(`/v1/requests/${requestId}`)
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? answer : { error: 'There is no such request.' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer: RequestJson = {
    ...prepared,
    requestId,
    approvalUrl: `${url}/approve/${requestId}`,
    statusUrl: `${url}/v1/requests/${requestId}`,
    status: 'pending',
    statusCode: 100,
    settled: false,
    createdAt: new Date(0).toISOString(),
    expiresAt: new Date(0).toISOString(),
    transactionHashes: [],
  }
  return {
    url,
    requestId,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
