import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { operations, parseInput, ServiceError, storeByteRoutes, unavailable } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { type Descriptor, hashDescriptor, listParts, parseDescriptor, WorkError, workLimits } from '@svc/protocol/work'
import {
  buildCommonHeaders,
  createFairQueue,
  type FairQueue,
  type HttpContext,
  open,
  type RequestContext,
  respond,
  respondOnce,
} from '@svc/serve'
import type { Hono } from 'hono'
import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { assertMayRead, assertMayWrite, findReadableBundle, notAllowed, readRoles } from './access.ts'
import { parseByteRange } from './byteRange.ts'
import { createMissingError } from './calls/bundles.ts'
import type { StoreDeps } from './deps.ts'
import { findPictureType } from './findPictureType.ts'
import { describePart, findMissingParts, partKey } from './heldParts.ts'
import { ObjectError } from './objects/objectStore.ts'
import { createRemovedError } from './records/removals.ts'
import { authorRoles, mayWrite, type Role, type TaskFacts } from './taskAccess.ts'

/** Strangers wrote these bytes: a browser saves them and never shows or runs them. */
const untrusted = {
  ...open,
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
/** A hash names the bytes, so they never change. Public work can be withdrawn, so caches ask again. */
const cacheHeaders = (isPublic: boolean) => ({
  'cache-control': isPublic ? 'public, max-age=300' : 'private, max-age=31536000, immutable',
  ...(!isPublic && { vary: 'Authorization' }),
})

/**
 * Uploads that a replica works on; the bodies of others wait, unread, so that memory and connections to Postgres are bounded. Networks
 * take turns, and so do the wallets of a network.
 */
const uploadLimits = {
  maxRunning: 32,
  maxRunningPerNetwork: 8,
  maxRunningPerClient: 4,
  maxWaiting: 1_000,
  maxWaitingPerNetwork: 200,
  resource: 'a place to upload',
}
/** How fast a part must arrive once it is its turn, in bytes per second: 4 MiB in two minutes. */
const uploadRate = 32 * 1_024

/** How much of a refused body is read and thrown away, and for how long. */
const [discardBytes, discardMs] = [4 * workLimits.partBytes, 10_000]

/** Mounts the routes that take and send plain bytes. */
export function mountByteRoutes(app: Hono<{ Bindings: RequestContext }>, deps: StoreDeps): void {
  const { part, bundle, vault, picture } = storeByteRoutes
  const uploads = createFairQueue(uploadLimits)
  app.put(part, (c) => answerAfterBody(c, () => putPart(c, deps, uploads)))
  app.get(part, (c) => getPart(c, deps))
  app.put(bundle, (c) => answerAfterBody(c, () => putBundle(c, deps)))
  app.get(bundle, (c) => getBundle(c, deps))
  app.put(vault, (c) => answerAfterBody(c, () => putVault(c, deps)))
  app.get(vault, (c) => getVault(c, deps))
  app.put(picture, (c) => answerAfterBody(c, () => putPicture(c, deps)))
  app.get(picture, (c) => getPicture(c, deps))
}

/**
 * Sends a refusal only after the body has come, as far as that is not too much: a client that is cut off while it sends sees
 * a broken connection, and never why.
 */
async function answerAfterBody(c: HttpContext, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    const { incoming } = c.env
    const size = Number(c.req.header('content-length'))
    if (incoming && !incoming.readableEnded && size <= discardBytes) {
      await finished(incoming.resume(), { signal: AbortSignal.timeout(discardMs) }).catch(() => {})
    }
    throw error
  }
}

async function putPart(c: HttpContext, deps: StoreDeps, uploads: FairQueue): Promise<Response> {
  const wallet = await deps.sessions.require(c.req.raw.headers)
  const part = { ...readPartPath(c), size: readLength(c, workLimits.partBytes) }
  const { client, body } = c.env
  // Who has sent nothing yet takes no place from others.
  await body?.waitFor(part.size)
  body?.pause()
  const run = () => {
    body?.resume(uploadRate)
    return storePart(c, deps, wallet, part)
  }
  return uploads({ client, member: wallet, cost: 1, run, signal: c.req.raw.signal })
}

async function storePart(
  c: HttpContext,
  deps: StoreDeps,
  wallet: Address,
  { taskId, sha256, size }: { taskId: TaskId; sha256: string; size: number },
): Promise<Response> {
  const { task } = await assertMayWrite(deps, taskId, wallet)
  const quota = (wallet === task.worker ? workLimits.taskBytes : workLimits.bundleBytes)[taskId.market]
  await deps.parts.reserve(taskId, { sha256, size }, { wallet, quota })
  const source = openBody(c)
  try {
    await deps.objects.put(partKey(taskId, sha256), source, { sha256, size })
  } catch (error) {
    await deps.parts.release(taskId, sha256).catch(() => {})
    throw explainObjectError(error)
  }
  await deps.parts.hold(taskId, { sha256, size }, wallet)
  return respondOnce(c.env, c.req.method, 201, { sha256, size }, open)
}

/** The body as a stream of its own: whoever destroys it does not destroy the connection, which still needs an answer. */
function openBody({ env: { incoming }, req }: HttpContext): Readable {
  const body = new PassThrough()
  // A client may go away before anything reads the stream; without a listener, that would end the process.
  body.on('error', () => {})
  const source = incoming ?? (req.raw.body ? Readable.fromWeb(req.raw.body) : Readable.from([]))
  source.once('error', (error) => body.destroy(error))
  source.once('close', () => source.readableEnded || body.destroy(new Error('The client closed the connection.')))
  return source.pipe(body)
}

async function getPart(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const { taskId, sha256 } = readPartPath(c)
  const isPublic = await admitReader(c, deps, taskId, sha256)
  const key = partKey(taskId, sha256)
  const explainMissing = async () => {
    const removal = await deps.removals.findPart(formatTaskId(taskId), sha256)
    if (removal) return createRemovedError(removal)
    return new ServiceError('PART_NOT_FOUND', `The store does not hold ${describePart(taskId, sha256)}.`)
  }
  const headers = { ...untrusted, ...cacheHeaders(isPublic), etag: `"${sha256}"`, 'accept-ranges': 'bytes' }
  if (c.req.header('if-none-match') === headers.etag) return respond(c.env, 304, null, headers)
  const given = c.req.header('range')
  if (c.req.method === 'HEAD' || given !== undefined) {
    const found = await deps.objects.head(key).catch(rethrowObjectError)
    if (!found) throw await explainMissing()
    if (c.req.method === 'HEAD') {
      return respond(c.env, 200, null, { ...headers, 'content-length': String(found.size) })
    }
    const range = parseByteRange(given, found.size)
    if (range) {
      const object = await deps.objects.get(key, range).catch(rethrowObjectError)
      if (!object) throw await explainMissing()
      return respondStream(c, 206, object.body, {
        ...headers,
        'content-range': `bytes ${range.start}-${range.end}/${found.size}`,
        'content-length': String(range.end - range.start + 1),
      })
    }
  }
  const object = await deps.objects.get(key).catch(rethrowObjectError)
  if (!object) throw await explainMissing()
  return respondStream(c, 200, object.body, { ...headers, 'content-length': String(object.size) })
}

/** Throws unless the sender may read a part. Returns whether anyone may. */
async function admitReader(c: HttpContext, deps: StoreDeps, taskId: TaskId, sha256: string): Promise<boolean> {
  const wallet = await deps.sessions.find(c.req.raw.headers)
  const refusal = wallet
    ? await assertMayRead(deps, taskId, wallet).then(
        () => null,
        (error: unknown) => error,
      )
    : await deps.sessions.require(c.req.raw.headers).catch((error: unknown) => error)
  if (refusal === null) return false
  if (await deps.parts.isPublic(taskId, sha256)) return true
  const removal = await deps.removals.findPart(formatTaskId(taskId), sha256)
  if (removal?.isPublic) throw createRemovedError(removal)
  throw refusal
}

async function putBundle(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const wallet = await deps.sessions.require(c.req.raw.headers)
  const hash = readHash(c)
  const bytes = await readBytes(c, workLimits.descriptorBytes)
  if (hashDescriptor(bytes) !== hash) {
    throw new ServiceError('WRONG_BYTES', `The keccak256 of the body is not ${hash}.`)
  }
  const descriptor = readDescriptor(bytes)
  const { taskId } = descriptor
  const { facts, roles } = await readRoles(deps, taskId, wallet)
  if (!mayWrite(facts, roles)) throw notAllowed(taskId, wallet, 'write to')
  const problem = findDescriptorProblem(descriptor, { facts, roles, wallet }, deps)
  if (problem) throw new ServiceError('INVALID_DESCRIPTOR', problem)
  const removal = await deps.removals.find(hash)
  if (removal) throw createRemovedError(removal)
  const missing = await findMissingParts(deps, taskId, listParts(descriptor)).catch(rethrowObjectError)
  if (missing.length > 0) throw createMissingError(missing)
  // Once more, under the lock of the task: a sweep may have removed a part meanwhile.
  const lost = await deps.bundles.save(hash, bytes, descriptor)
  if (lost.length > 0) throw createMissingError(lost.map(({ sha256 }) => sha256))
  return respondOnce(c.env, c.req.method, 201, { hash }, open)
}

/** Says why a descriptor does not fit the task as it stands on chain; null if it does. */
function findDescriptorProblem(
  { kind, chainId, registry, taskId, milestone, revision, author }: Descriptor,
  { facts: { task }, roles, wallet }: { facts: TaskFacts; roles: readonly Role[]; wallet: Address },
  deps: StoreDeps,
): string | null {
  const name = formatTaskId(taskId)
  const context = deps.signingContext(taskId.market)
  if (chainId !== deps.chainId) return `The descriptor is for chain ${chainId}, not ${deps.chainId}.`
  if (registry !== context.taskRegistry) return `The registry of ${name} is ${context.taskRegistry}, not ${registry}.`
  if (author !== wallet) return `The author is ${author}, but the session is of ${wallet}.`
  if (!authorRoles[kind].some((role) => roles.includes(role))) {
    return `A ${kind} of ${name} comes from its ${authorRoles[kind].join(' or ')}, and ${wallet} is not that.`
  }
  if (milestone >= task.milestones.length)
    return `${name} has ${task.milestones.length} milestones; the first one is 0.`
  const isCurrent = milestone === task.current && revision === task.revisions
  if (!isCurrent && (kind === 'delivery' || kind === 'revision')) {
    return `${name} is at milestone ${task.current}, revision ${task.revisions}; the descriptor is for ${milestone}, ${revision}.`
  }
  return null
}

async function getBundle(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const hash = readHash(c)
  const { bytes, isPublic } = await findReadableBundle(deps, hash, c.req.raw.headers)
  return respond(c.env, 200, Uint8Array.from(bytes), { ...untrusted, ...cacheHeaders(isPublic), etag: `"${hash}"` })
}

async function putVault(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const wallet = await deps.sessions.require(c.req.raw.headers)
  const bytes = await readBytes(c, workLimits.vaultBytes)
  await deps.room.take(wallet, c.env.client, bytes.length)
  await deps.vaults.save(wallet, bytes)
  return respondOnce(c.env, c.req.method, 200, { wallet }, open)
}

async function getVault(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const wallet = await deps.sessions.require(c.req.raw.headers)
  const file = await deps.vaults.find(wallet)
  if (!file) throw new ServiceError('VAULT_NOT_FOUND', `There is no key backup of ${wallet} here.`)
  return respond(c.env, 200, Uint8Array.from(file), { ...untrusted, 'cache-control': 'no-store' })
}

async function putPicture(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const session = await deps.sessions.require(c.req.raw.headers)
  const { wallet, sha256 } = readPicturePath(c)
  if (wallet !== session) throw new ServiceError('NOT_ALLOWED', `Only ${wallet} may change its picture.`)
  const bytes = await readBytes(c, workLimits.pictureBytes)
  if (findPictureType(bytes) === null) {
    const side = workLimits.pictureSide
    throw new ServiceError('INVALID_REQUEST', `A picture is a PNG or WebP of at most ${side} by ${side} pixels.`)
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new ServiceError('WRONG_BYTES', `The SHA-256 of the picture is not ${sha256}.`)
  await deps.room.take(wallet, c.env.client, bytes.length)
  await deps.pictures.save(wallet, sha256, bytes)
  return respondOnce(c.env, c.req.method, 201, { wallet, sha256 }, open)
}

async function getPicture(c: HttpContext, deps: StoreDeps): Promise<Response> {
  const { wallet, sha256 } = readPicturePath(c)
  const file = await deps.pictures.find(wallet, sha256)
  const type = file && findPictureType(file)
  if (!type) throw new ServiceError('PICTURE_NOT_FOUND', `${wallet} does not have this picture here.`)
  const headers = { ...untrusted, ...cacheHeaders(true), 'content-type': type, etag: `"${sha256}"` }
  return respond(c.env, 200, Uint8Array.from(file), headers)
}

function readPicturePath(c: HttpContext): { wallet: Address; sha256: string } {
  const { wallet = '', sha256 = '' } = c.req.param()
  if (isAddress(wallet, { strict: false }) && /^[0-9a-f]{64}$/.test(sha256))
    return { wallet: getAddress(wallet), sha256 }
  throw new ServiceError('INVALID_REQUEST', 'A picture is named by a wallet and a SHA-256 in lower case.')
}

function respondStream(c: HttpContext, status: number, body: Readable, headers: Readonly<Record<string, string>>) {
  return new Response(toWebStream(body), {
    status,
    headers: { ...buildCommonHeaders(c.env), ...headers },
  })
}

/** Passes chunks on as they are. `Readable.toWeb` copies each of them. */
function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body.iterator()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void body.destroy(),
  })
}

function readPartPath(c: HttpContext): { taskId: TaskId; sha256: string } {
  const { id, sha256 = '' } = c.req.param()
  const { id: taskId } = parseInput(operations.listBundles, { id })
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new ServiceError('INVALID_REQUEST', 'A part is named by its SHA-256: 64 hex digits in lower case.')
  }
  return { taskId, sha256 }
}

const readHash = (c: HttpContext): Hex => parseInput(operations.issueStorageReceipt, c.req.param()).hash

/** Without a length, nobody could say where an upload that was cut off should have ended. */
function readLength(c: HttpContext, max: number): number {
  const given = c.req.header('content-length')
  if (given === undefined || !/^\d{1,15}$/.test(given)) {
    throw new ServiceError('LENGTH_REQUIRED', 'Content-Length is required; chunked bodies are not accepted.')
  }
  const size = Number(given)
  if (size === 0) throw new ServiceError('INVALID_REQUEST', 'The body is empty.')
  if (size > max) throw new ServiceError('BODY_TOO_LARGE', `The body has ${size} bytes, but the limit is ${max}.`)
  return size
}

async function readBytes(c: HttpContext, max: number): Promise<Uint8Array> {
  const size = readLength(c, max)
  const bytes = await c.req.raw.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  )
  if (bytes?.length !== size) throw new ServiceError('INVALID_REQUEST', 'The body is incomplete.')
  return bytes
}

function readDescriptor(bytes: Uint8Array): Descriptor {
  try {
    return parseDescriptor(bytes)
  } catch (error) {
    if (!(error instanceof WorkError)) throw error
    throw new ServiceError(
      error.code === 'BUNDLE_TOO_LARGE' ? 'WORK_QUOTA_REACHED' : 'INVALID_DESCRIPTOR',
      error.message,
    )
  }
}

function rethrowObjectError(error: unknown): never {
  throw explainObjectError(error)
}

/** Turns an error of the object store into what the client is told. */
export function explainObjectError(error: unknown): unknown {
  if (!(error instanceof ObjectError)) return error
  const { code, message, cause } = error
  if (code === 'WRONG_BYTES') return new ServiceError('WRONG_BYTES', `${message} Nothing was stored.`)
  if (code === 'INCOMPLETE') return new ServiceError('INVALID_REQUEST', `${message} Nothing was stored.`)
  if (code === 'FULL') return new ServiceError('STORE_FULL', 'The store has no room left.', { retryAfter: 60, cause })
  return Object.assign(unavailable('OBJECTS_UNREACHABLE', 'The object store cannot be reached now.'), { cause: error })
}
