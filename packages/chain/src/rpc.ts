import { parseRetryAfter } from '@svc/protocol/internal/base'
import { ChainReadError } from './errors.ts'
import { createLearnedLimit, type LearnedLimit } from './learnedLimit.ts'
import { type CallKind, createRpcHealth, type RecordedHealth, type RpcHealth } from './rpcHealth.ts'
import { createSlots } from './slots.ts'

/** One JSON-RPC endpoint. */
export interface Rpc {
  /** Its name in logs. Never the URL, which can contain an API key. */
  name: string
  /** Makes one call. Throws `ChainReadError`, or `RpcResponseError` if the node returned an error. */
  request: (method: string, params: readonly unknown[], signal?: AbortSignal) => Promise<unknown>
  /** How many blocks of logs one call may ask for. Without it, every read learns it again. */
  logRange?: LearnedLimit
  /** How well it answers. Without it, it counts as healthy. */
  health?: RpcHealth
}

/** How a call ended. `reverted` is an answer of the chain; `held`: not sent, because the provider asked us to wait. */
type RpcOutcome = 'ok' | 'reverted' | 'rejected' | 'throttled' | 'held' | 'timeout' | 'unreachable' | 'invalid'

/** One call to a provider, for metrics. A batch is one call of the method `batch`. */
export interface RpcCallReport {
  provider: string
  method: string
  outcome: RpcOutcome
  seconds: number
}

export interface RpcOptions {
  name: string
  url: string
  /** How long a call may wait for its turn, and the longest that an answer may take. Most have less time: `RpcHealth`. */
  timeoutMs?: number
  /** Whether another provider can be asked instead, so that it is not worth to wait long for this one. */
  hasAlternative?: boolean
  /** The largest response that is read. */
  maxBytes?: number
  /** The most calls in flight; others wait. */
  maxInFlight?: number
  onCall?: ((report: RpcCallReport) => void) | undefined
  /** Called when the provider becomes silent, and when it answers again. */
  onSilent?: ((provider: string, isSilent: boolean) => void) | undefined
  now?: () => number
  /** From 0 to 1, for jitter. */
  random?: () => number
}

/** Methods whose calls are sent in batches: their responses are small and they are called hundreds of times. */
const batchedMethods: ReadonlySet<string> = new Set(['eth_getBlockByNumber'])
const largestBatch = 50

/** The most calls that wait for their turn. */
const maxWaiting = 2_000

interface Call {
  id: number
  method: string
  params: readonly unknown[]
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Creates an endpoint over HTTP with a timeout, a size limit and a bound on calls in flight, without retries. Block headers
 * requested in the same tick are sent as one batch. If the node rejects a batch, the batch size is halved, down to single
 * calls. If it says that there are too many requests, nothing is sent until it may be asked again.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name, now = Date.now, random, onSilent } = options
  onSilent?.(name, false)
  const backoff = createBackoff(now, random ?? Math.random)
  const health = createRpcHealth({
    limitMs: options.timeoutMs ?? defaultTimeoutMs,
    hasAlternative: options.hasAlternative ?? false,
    isHeld: () => backoff.remainingMs() > 0,
    probe: () => sendOne('eth_blockNumber', []),
    onSilent: onSilent && ((isSilent) => onSilent(name, isSilent)),
    now,
    random,
  })
  const post = createPost(options, health, backoff)
  const batchSize = createLearnedLimit({ max: largestBatch, now })
  let [id, queued] = [0, [] as Call[]]

  const sendOne = async (method: string, params: readonly unknown[], signal?: AbortSignal) => {
    const body = { jsonrpc: '2.0', id: ++id, method, params }
    const result = await post({ body, method, kind: getCallKind(method, params), signal }, (answer) =>
      getRpcResult(name, method, isRpcResponse(answer) ? answer : null),
    )
    backoff.clear()
    return result
  }
  const flush = () => {
    const calls = queued
    queued = []
    sendBatches(calls)
  }
  const sendBatches = (calls: readonly Call[]) => {
    const size = batchSize.size()
    for (let at = 0; at < calls.length; at += size) void sendBatch(calls.slice(at, at + size))
  }
  const sendBatch = async (calls: readonly Call[]): Promise<void> => {
    const [only] = calls
    if (only && calls.length === 1) {
      sendOne(only.method, only.params).then(only.resolve, only.reject)
      return
    }
    try {
      const body = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
      const answers = await post({ body, method: 'batch', kind: 'call' }, (answer) => {
        // One error instead of a list is about the batch.
        if (isRpcResponse(answer) && answer.error && isThrottle(answer.error))
          throw createThrottledError(name, 'batch', answer.error)
        return Array.isArray(answer) ? answer : null
      })
      if (answers) {
        batchSize.accept(calls.length)
        return settle(calls, answers)
      }
      batchSize.reject(calls.length)
      const half = Math.ceil(calls.length / 2)
      for (const part of [calls.slice(0, half), calls.slice(half)]) sendBatches(part)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  const settle = (calls: readonly Call[], answers: readonly unknown[]) => {
    // Responses can arrive in any order.
    const byId = new Map(answers.filter(isRpcResponse).map((answer) => [answer.id, answer]))
    let throttled = false
    for (const { id, method, resolve, reject } of calls) {
      try {
        resolve(getRpcResult(name, method, byId.get(id) ?? null))
      } catch (error) {
        if (error instanceof RateLimitedError) throttled = true
        reject(error)
      }
    }
    if (throttled) backoff.hold(null)
    else backoff.clear()
  }

  return {
    name,
    logRange: createLearnedLimit({ now }),
    health,
    request(method, params, signal) {
      if (signal || !batchedMethods.has(method)) return sendOne(method, params, signal)
      return new Promise((resolve, reject) => {
        if (queued.length === 0) queueMicrotask(flush)
        queued.push({ id: ++id, method, params, resolve, reject })
      })
    },
  }
}

/** Methods whose answers are small and quick. */
const lightMethods: ReadonlySet<string> = new Set([
  'eth_chainId',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
])

function getCallKind(method: string, [filter]: readonly unknown[]): CallKind {
  if (lightMethods.has(method)) return 'light'
  if (method === 'eth_getBlockReceipts') return 'range'
  if (method !== 'eth_getLogs') return 'call'
  return typeof filter === 'object' && filter !== null && 'blockHash' in filter ? 'logs' : 'range'
}

/** What is sent. A batch is one call of the method `batch`. */
interface SentCall {
  body: unknown
  method: string
  kind: CallKind
  signal?: AbortSignal | undefined
}

const defaultTimeoutMs = 10_000

/**
 * Creates a function that sends JSON and returns what `read` makes of the JSON of the response, which is null if it is not
 * JSON. It reports every call, and holds calls back while the provider wants fewer.
 */
function createPost(options: RpcOptions, health: RecordedHealth, backoff: Backoff) {
  const { name, url, timeoutMs = defaultTimeoutMs, maxBytes = 64 * 1024 * 1024, maxInFlight = 32, onCall } = options
  const now = options.now ?? Date.now
  const slots = createSlots(maxInFlight, maxWaiting)

  const send = async ({ body, method, kind, signal: given }: SentCall): Promise<unknown> => {
    const what = method === 'batch' ? 'a batch' : method
    const queued = AbortSignal.timeout(timeoutMs)
    const release = await slots.take(given ? AbortSignal.any([given, queued]) : queued).catch((cause) => {
      throw new ChainReadError(`${name} has too many calls in flight to ask it for ${what}.`, {
        retryable: true,
        cause,
      })
    })
    const allowedMs = health.timeoutMs(kind)
    const timeout = AbortSignal.timeout(allowedMs)
    const signal = given ? AbortSignal.any([given, timeout]) : timeout
    const call = health.begin(kind)
    const fail = (doing: string, cause: unknown) => {
      if (given?.aborted) call.dropped()
      else call.failed(timeout.aborted ? 'timeout' : 'silent')
      return timeout.aborted
        ? new RpcTimeoutError(`${name} did not answer ${what} in ${allowedMs} ms.`, { retryable: true, cause })
        : createRpcError(name, doing, cause)
    }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }).catch((cause) => {
        throw fail('cannot be reached', cause)
      })
      // Some providers return an error of one method with a 4xx status and the reason in a JSON body.
      if (response.status === 429 || response.status >= 500) {
        await response.body?.cancel()
        const message = `${name} answered ${what} with status ${response.status}.`
        if (response.status !== 429) {
          call.failed('silent')
          throw new ChainReadError(message, { retryable: true })
        }
        call.dropped()
        // A provider that names no time ahead is left alone for a while all the same.
        throw new RateLimitedError(message, parseRetryAfter(response.headers.get('retry-after'), now()) || null)
      }
      const text = await readText(response, maxBytes).catch((cause) => {
        throw fail(`did not finish its response to ${what}`, cause)
      })
      if (text === null) {
        call.answered()
        throw new ResponseTooLargeError(`${name} answered ${what} with more than ${maxBytes} bytes.`, {
          retryable: true,
        })
      }
      const answer = parse(text)
      if (Array.isArray(answer) || (isRpcResponse(answer) && ('result' in answer || answer.error))) call.answered()
      else call.failed('silent')
      return answer
    } finally {
      release()
    }
  }

  return async <T>(call: SentCall, read: (answer: unknown) => T): Promise<T> => {
    const start = performance.now()
    const report = (outcome: RpcOutcome) =>
      onCall?.({ provider: name, method: call.method, outcome, seconds: (performance.now() - start) / 1000 })
    const held = backoff.remainingMs()
    if (held > 0) {
      report('held')
      throw new RateLimitedError(`${name} asked for fewer requests; it is asked again in ${Math.ceil(held)} ms.`, held)
    }
    try {
      const result = read(await send(call))
      report('ok')
      return result
    } catch (error) {
      if (error instanceof RateLimitedError) backoff.hold(error.retryAfterMs)
      report(getOutcome(error))
      throw error
    }
  }
}

function getOutcome(error: unknown): RpcOutcome {
  if (error instanceof RateLimitedError) return 'throttled'
  if (error instanceof RpcResponseError) return error.retryable ? 'rejected' : 'reverted'
  if (error instanceof RpcTimeoutError) return 'timeout'
  return error instanceof ChainReadError && error.cause === undefined ? 'invalid' : 'unreachable'
}

/** The longest that a provider is left alone, whatever it asks for. */
const maxHoldMs = 60_000

type Backoff = ReturnType<typeof createBackoff>

/** Decides when a provider that wants fewer requests may be asked again: after what it says, else ever later, with jitter. */
function createBackoff(now: () => number, random: () => number) {
  let [until, failures] = [0, 0]
  return {
    remainingMs: () => until - now(),
    hold(retryAfterMs: number | null) {
      // Calls that were in flight together are throttled together; they count once.
      if (until <= now()) failures++
      const own = Math.min(maxHoldMs, 250 * 2 ** failures) * (0.5 + random() / 2)
      until = Math.max(until, now() + Math.min(maxHoldMs, retryAfterMs ?? own))
    },
    clear() {
      failures = 0
    },
  }
}

function getRpcResult(name: string, method: string, answer: RpcResponse | null): unknown {
  if (!answer) throw createRpcError(name, `answered ${method} with something other than JSON-RPC`)
  if (answer.error) {
    if (isThrottle(answer.error)) throw createThrottledError(name, method, answer.error)
    throw new RpcResponseError(name, method, answer.error)
  }
  if (!('result' in answer)) throw createRpcError(name, `answered ${method} with neither result nor error`)
  return answer.result
}

const createRpcError = (name: string, what: string, cause?: unknown) =>
  new ChainReadError(`${name} ${what}.`, { retryable: true, cause })

/** Returns the text of a response; null if it is too long. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

interface RpcFailure {
  code?: number
  message?: string
  data?: unknown
}

interface RpcResponse {
  id?: unknown
  result?: unknown
  error?: RpcFailure
}

const isRpcResponse = (json: unknown): json is RpcResponse =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The codes that only mean too many requests. -32005 can also mean too many results, so there the text decides. */
const throttleCodes: ReadonlySet<number | undefined> = new Set([429, -32016, -32029])
const throttleText = /rate.?limit|too many requests|requests? per second|units per second|request (count|limit)/i

const isThrottle = ({ code, message }: RpcFailure): boolean =>
  throttleCodes.has(code) || throttleText.test(String(message).slice(0, 200))

const createThrottledError = (name: string, method: string, { code, message }: RpcFailure) =>
  new RateLimitedError(`${name} rejected ${method}: ${String(message).slice(0, 200)} (${code}).`, null)

/** The provider did not answer in time. */
export class RpcTimeoutError extends ChainReadError {
  override name = 'RpcTimeoutError'
}

/** The answer is longer than what is read. */
export class ResponseTooLargeError extends ChainReadError {
  override name = 'ResponseTooLargeError'
}

/** The provider wants fewer requests. */
export class RateLimitedError extends ChainReadError {
  override name = 'RateLimitedError'
  /** When it may be asked again; null if it did not say. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null) {
    super(message, { retryable: true })
    this.retryAfterMs = retryAfterMs
  }
}

/** The node returned an error: a revert, a range that is too wide, a method it does not support. */
export class RpcResponseError extends ChainReadError {
  override name = 'RpcResponseError'
  readonly rpcCode: number | undefined
  /** The revert data, if there is any. */
  readonly data: unknown

  constructor(provider: string, method: string, { code, message, data }: RpcFailure) {
    // A provider's text is untrusted: it goes to logs only, and is cut.
    super(`${provider} rejected ${method}: ${String(message).slice(0, 200)} (${code}).`, {
      retryable: !isRevert(code, data),
    })
    this.rpcCode = code
    this.data = data
  }
}

/** A revert is the result of the chain. Any other error may come from this provider alone. */
function isRevert(code: number | undefined, data: unknown): boolean {
  return code === 3 || (typeof data === 'string' && data.startsWith('0x'))
}
