import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as startRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** How an upload fails: the connection is cut in the middle, the disk is full, or nothing answers. */
export type EngineFault = 'cut' | 'full' | 'silent'

/** A proxy in front of an S3 that fails uploads on demand. */
export interface FaultyS3 {
  /** The URL of the same bucket, through the proxy. */
  url: string
  /** Fails uploads this way from now on; null forwards everything. */
  fail: (fault: EngineFault | null) => void
  stop: () => Promise<void>
}

export async function startFaultyS3(bucket: string): Promise<FaultyS3> {
  const target = new URL(bucket)
  let fault: EngineFault | null = null
  const forward: RequestListener = (incoming, outgoing) => {
    const isUpload = incoming.method === 'PUT'
    // Says nothing and takes nothing, as a stuck disk does.
    if (isUpload && fault === 'silent') return
    if (isUpload && fault === 'full') {
      outgoing.writeHead(507, { connection: 'close' }).end()
      return
    }
    const { method, url: path, headers } = incoming
    // The signature covers the Host header, so it is forwarded as it came.
    const onward = startRequest({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      const { 'transfer-encoding': _, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, method === 'HEAD' ? rest : answer.headers)
      if (method === 'HEAD') outgoing.end()
      else answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.headersSent || outgoing.destroy())
    incoming.on('error', () => onward.destroy())
    incoming.on('close', () => incoming.complete || onward.destroy())
    if (isUpload && fault === 'cut') {
      incoming.once('data', () => {
        incoming.destroy()
        onward.destroy()
      })
    } else incoming.pipe(onward)
  }
  const server = createServer(forward).listen(0, '127.0.0.1')
  server.on(
    'checkContinue',
    (incoming: IncomingMessage, outgoing: ServerResponse<IncomingMessage> & { req: IncomingMessage }) => {
      if (fault !== 'full') outgoing.writeContinue()
      forward(incoming, outgoing)
    },
  )
  await once(server, 'listening')
  const url = new URL(bucket)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    fail: (next) => {
      fault = next
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
