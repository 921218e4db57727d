import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { checkBytes } from './checkBytes.ts'
import { createHashProbe } from './hashProbe.ts'
import { ObjectError, type ObjectStore } from './objectStore.ts'
import { createS3Signer, type S3Credentials } from './signS3.ts'

export interface S3Options extends S3Credentials {
  /** URL of the bucket, path style: `https://s3.example/bucket`. */
  url: string
  /** How long a connection may be silent. */
  idleMs?: number
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Idle connections are closed before an engine closes them, which could meet the next request. */
const connections = { keepAlive: true, timeout: 4_000 }
/** How long to wait for leave to send a body. Engines that do not know `Expect` say nothing. */
const continueMs = 1_000
/** For so long after an upload failed, the engine is asked for leave before it gets bytes. */
const carefulMs = 60_000
/** More than one chunk, so that an engine that looks at the first one only is found out. */
const probeBytes = 128 * 1024
const listSize = 1_000
const deletesAtOnce = 8

/** Stores objects in a bucket of any S3. It must exist; its lifecycle rules must not delete parts. */
export function createS3Store({ url, idleMs = 15_000, ...credentials }: S3Options): ObjectStore {
  const sign = createS3Signer(credentials)
  const isSecure = url.startsWith('https:')
  const agent = isSecure ? new HttpsAgent(connections) : new HttpAgent(connections)
  const start = isSecure ? httpsRequest : httpRequest

  /** Starts a signed request. `fetch` cannot stream a body with a Content-Length, which S3 requires. */
  function begin(
    method: string,
    target: string,
    sha256 = emptyHash,
    headers: Readonly<Record<string, string>> = {},
  ): { outgoing: ClientRequest; answer: Promise<IncomingMessage> } {
    const place = new URL(target)
    const signed = sign(method, place, sha256, new Date())
    const outgoing = start(place, { method, agent, headers: { ...headers, ...signed } })
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
      const { outgoing, answer } = begin(method, target, emptyHash, headers)
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

  /** Sends bytes under the hash of others. Their key is of a task that cannot exist. */
  const doesEngineCheck = createHashProbe(async () => {
    const key = `probe/${randomBytes(16).toString('hex')}`
    const bytes = randomBytes(probeBytes)
    const { outgoing, answer } = begin('PUT', locate(key), emptyHash, { 'content-length': String(bytes.length) })
    outgoing.end(bytes)
    const response = await answer
    const text = await readText(response)
    if (isWrongBytes(response, text)) return 'refused'
    if (!isSuccess(response)) return null
    await deleteKey(key)
    return 'stored'
  })
  let failedAt = Number.NEGATIVE_INFINITY

  return {
    async put(key, source, { sha256, size }) {
      // The engine's own check is as good as ours. A second hash would take a tenth of an upload.
      const check = { sha256: doesEngineCheck() ? null : sha256, size }
      // An engine that refuses uploads can say why before it gets the bytes. Otherwise, that costs a round trip.
      const isCareful = Date.now() - failedAt < carefulMs
      const { outgoing, answer } = begin('PUT', locate(key), sha256, {
        'content-length': String(size),
        'content-type': 'application/octet-stream',
        ...(isCareful && { expect: '100-continue' }),
      })
      if (isCareful) await Promise.race([once(outgoing, 'continue'), answer, wait(continueMs)]).catch(() => {})
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
      const fault = await pipeline(source, checkBytes(check), outgoing).then(
        () => null,
        (error: Error) => error,
      )
      if (fault instanceof ObjectError) throw fault
      const response = await answer.catch(() => null)
      if (response) {
        const text = await readText(response).catch(() => '')
        if (isSuccess(response) && !fault) return
        if (isWrongBytes(response, text)) {
          throw new ObjectError('WRONG_BYTES', `The bytes do not have the hash ${sha256}.`)
        }
        if (!isSuccess(response)) {
          failedAt = Date.now()
          throw explainStatus(response)
        }
      }
      if (culprit === 'source') {
        throw new ObjectError('INCOMPLETE', 'The bytes did not arrive completely.', { cause: fault })
      }
      failedAt = Date.now()
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
    // A request that is cut off stores nothing.
    removeLeftovers: async () => {},
  }
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300

/** Whether S3 refused bytes because they do not have the signed hash. */
const isWrongBytes = ({ statusCode }: IncomingMessage, text: string): boolean =>
  statusCode === 400 && /<Code>(?:BadDigest|XAmzContentSHA256Mismatch)<\/Code>/.test(text)

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
