import { once } from 'node:events'
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { checkBytes } from './checkBytes.ts'
import { ObjectError, type ObjectStore } from './objectStore.ts'

export interface S3Options {
  /** URL of the bucket, path style: `https://s3.example/bucket`. */
  url: string
  region: string
  keyId: string
  secret: string
  /** How long a connection may be silent. */
  idleMs?: number
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Idle connections are closed before an engine closes them, which could meet the next request. */
const connections = { keepAlive: true, timeout: 4_000 }
/** How long to wait for leave to send a body. Engines that do not know `Expect` say nothing. */
const continueMs = 1_000
const listSize = 1_000
const deletesAtOnce = 8

/** Stores objects in a bucket of any S3. It must exist; its lifecycle rules must not delete parts. */
export function createS3Store({ url, region, keyId, secret, idleMs = 15_000 }: S3Options): ObjectStore {
  const aws = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 0 })
  const isSecure = url.startsWith('https:')
  const agent = isSecure ? new HttpsAgent(connections) : new HttpAgent(connections)
  const start = isSecure ? httpsRequest : httpRequest

  /** Starts a signed request. `fetch` cannot stream a body with a Content-Length, which S3 requires. */
  async function begin(
    method: string,
    target: string,
    sha256 = emptyHash,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ outgoing: ClientRequest; answer: Promise<IncomingMessage> }> {
    const signed = await aws.sign(target, { method, headers: { ...headers, 'x-amz-content-sha256': sha256 } })
    const outgoing = start(target, { method, agent, headers: { ...headers, ...Object.fromEntries(signed.headers) } })
    outgoing.setTimeout(idleMs, () => outgoing.destroy(new Error(`S3 was silent for ${idleMs} ms.`)))
    const answer = new Promise<IncomingMessage>((done, fail) => {
      outgoing.once('response', done)
      // Also after the answer: Swift sends the end of a body after HEAD, which is not HTTP.
      outgoing.on('error', fail)
      outgoing.once('close', () => fail(new Error('S3 closed the connection.')))
    })
    // Whoever sends a body looks at the answer only later.
    answer.catch(() => {})
    return { outgoing, answer }
  }

  async function send(method: string, target: string, headers?: Readonly<Record<string, string>>) {
    try {
      const { outgoing, answer } = await begin(method, target, emptyHash, headers)
      outgoing.end()
      return await answer
    } catch (error) {
      throw new ObjectError('UNREACHABLE', 'S3 cannot be reached.', { cause: error })
    }
  }

  const locate = (key: string) => `${url}/${key}`
  const deleteKey = async (key: string) => {
    const response = await send('DELETE', locate(key))
    await drain(response)
    if (!isSuccess(response) && response.statusCode !== 404) throw explainStatus(response)
  }

  return {
    async put(key, source, { sha256, size }) {
      const headers = {
        'content-length': String(size),
        'content-type': 'application/octet-stream',
        // An engine that refuses an upload can say so before it gets the bytes.
        expect: '100-continue',
      }
      const { outgoing, answer } = await begin('PUT', locate(key), sha256, headers)
      await Promise.race([once(outgoing, 'continue'), answer, wait(continueMs)]).catch(() => {})
      let culprit: 'source' | 'S3' | undefined = source.errored ? 'source' : undefined
      source.once('error', () => {
        culprit ??= 'source'
      })
      // A killed S3 may close the connection without an error; pipeline then fails the source, which is not its fault.
      for (const event of ['error', 'close']) {
        outgoing.once(event, () => {
          culprit ??= 'S3'
        })
      }
      // An early refusal, such as a full disk, ends the upload.
      void answer.then(
        (response) => isSuccess(response) || outgoing.writableFinished || outgoing.destroy(),
        () => {},
      )
      // Whatever fails first, pipeline closes both ends: a request that is cut off stores nothing.
      const fault = await pipeline(source, checkBytes({ sha256, size }), outgoing).then(
        () => null,
        (error: Error) => error,
      )
      if (fault instanceof ObjectError) throw fault
      const response = await answer.catch(() => null)
      if (response) {
        await drain(response)
        if (!isSuccess(response)) throw explainStatus(response)
        if (!fault) return
      }
      if (culprit === 'source') {
        throw new ObjectError('INCOMPLETE', 'The bytes did not arrive completely.', { cause: fault })
      }
      throw new ObjectError('UNREACHABLE', 'S3 failed during an upload.', { cause: fault })
    },
    async get(key, range) {
      const response = await send('GET', locate(key), range && { range: `bytes=${range.start}-${range.end}` })
      if (response.statusCode === 404) {
        await drain(response)
        return null
      }
      if (!isSuccess(response)) {
        await drain(response)
        throw explainStatus(response)
      }
      return { body: response, size: readFullSize(response) }
    },
    async head(key) {
      const response = await send('HEAD', locate(key))
      await drain(response)
      if (response.statusCode === 404) return null
      if (!isSuccess(response)) throw explainStatus(response)
      return { size: readFullSize(response) }
    },
    delete: deleteKey,
    async deletePrefix(prefix) {
      for (;;) {
        const target = `${url}?list-type=2&max-keys=${listSize}&prefix=${encodeURIComponent(prefix)}`
        const response = await send('GET', target)
        const text = await readText(response)
        if (!isSuccess(response)) throw explainStatus(response)
        const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key)
        for (let at = 0; at < keys.length; at += deletesAtOnce) {
          await Promise.all(keys.slice(at, at + deletesAtOnce).map(deleteKey))
        }
        if (keys.length < listSize) return
      }
    },
    async ping() {
      const response = await send('HEAD', url)
      await drain(response)
      if (!isSuccess(response)) throw explainStatus(response)
    },
  }
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300

/** Discards a body, so that the connection can be used again. */
async function drain(response: IncomingMessage): Promise<void> {
  response.resume()
  if (!response.complete) await new Promise((done) => response.once('close', done))
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The size of the whole object, also in the answer to a range. */
function readFullSize({ headers }: IncomingMessage): number {
  const [, total] = /\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return Number(total ?? headers['content-length'] ?? 0)
}

const explainStatus = ({ statusCode }: IncomingMessage): ObjectError =>
  statusCode === 507 || statusCode === 413
    ? new ObjectError('FULL', 'The bucket is full.')
    : new ObjectError('UNREACHABLE', `S3 answered with status ${statusCode}.`)
