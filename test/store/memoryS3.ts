import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Options } from '../../apps/store/src/objects/s3Store.ts'

export interface MemoryS3 extends S3Options {
  /** What is stored, by key. */
  objects: ReadonlyMap<string, Buffer>
  stop: () => Promise<void>
}

/**
 * As much of S3 as the store uses, in memory, for machines without Swift. Like S3, it refuses bytes without the signed hash,
 * unless it is told not to check.
 */
export async function startMemoryS3({ checksHashes = true } = {}): Promise<MemoryS3> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const key = pathname.replace(/^\/work\/?/, '')
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // A request that was cut off stores nothing.
      return
    }
    const body = Buffer.concat(chunks)
    const found = objects.get(key)
    if (request.method === 'PUT') {
      const isRight = createHash('sha256').update(body).digest('hex') === request.headers['x-amz-content-sha256']
      if (isRight || !checksHashes) objects.set(key, body)
      if (isRight || !checksHashes) response.writeHead(200).end()
      else response.writeHead(400).end('<Error><Code>XAmzContentSHA256Mismatch</Code></Error>')
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (key === '') {
      const prefix = searchParams.get('prefix') ?? ''
      const keys = [...objects.keys()].filter((each) => each.startsWith(prefix)).slice(0, 1_000)
      response.writeHead(200).end(keys.map((each) => `<Key>${each}</Key>`).join(''))
    } else if (!found) response.writeHead(404).end()
    else {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      const part = start === undefined ? found : found.subarray(Number(start), Number(end) + 1)
      const range = start === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${found.length}` }
      response.writeHead(start === undefined ? 200 : 206, { 'content-length': part.length, ...range })
      response.end(request.method === 'HEAD' ? undefined : part)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/work`,
    region: 'us-east-1',
    keyId: 'key',
    secret: 'secret',
    objects,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
