import { ChainReadError } from './errors.ts'

/** One JSON-RPC endpoint. */
export interface Rpc {
  /** Its name in logs. Never the URL, which can contain an API key. */
  name: string
  /** Makes one call. Throws `ChainReadError`, or `RpcResponseError` if the node returned an error. */
  request: (method: string, params: readonly unknown[], signal?: AbortSignal) => Promise<unknown>
}

export interface RpcOptions {
  name: string
  url: string
  timeoutMs?: number
  /** The largest response that is read. */
  maxBytes?: number
}

/** Methods whose calls are sent in batches: their responses are small and they are called hundreds of times. */
const batchedMethods: ReadonlySet<string> = new Set(['eth_getBlockByNumber'])

interface Call {
  id: number
  method: string
  params: readonly unknown[]
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Creates an endpoint over HTTP with a timeout and a size limit, without retries. Block headers requested in the same tick are
 * sent as one batch. If the node rejects a batch, the batch size is halved, down to single calls.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name } = options
  const post = createPost(options)
  let [id, maxBatch, queued] = [0, 50, [] as Call[]]

  const sendOne = async (method: string, params: readonly unknown[], signal?: AbortSignal) => {
    const answer = await post({ jsonrpc: '2.0', id: ++id, method, params }, method, signal)
    return getRpcResult(name, method, isRpcResponse(answer) ? answer : null)
  }
  const flush = () => {
    const calls = queued
    queued = []
    for (let at = 0; at < calls.length; at += maxBatch) void sendBatch(calls.slice(at, at + maxBatch))
  }
  const sendBatch = async (calls: readonly Call[]): Promise<void> => {
    const [only] = calls
    if (only && (calls.length === 1 || maxBatch === 1)) {
      for (const { method, params, resolve, reject } of calls) sendOne(method, params).then(resolve, reject)
      return
    }
    try {
      const body = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
      const answers = await post(body, 'a batch')
      if (Array.isArray(answers)) return settle(calls, answers)
      maxBatch = Math.max(1, Math.min(maxBatch, Math.floor(calls.length / 2)))
      for (let at = 0; at < calls.length; at += maxBatch) void sendBatch(calls.slice(at, at + maxBatch))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  const settle = (calls: readonly Call[], answers: readonly unknown[]) => {
    // Responses can arrive in any order.
    const byId = new Map(answers.filter(isRpcResponse).map((answer) => [answer.id, answer]))
    for (const { id, method, resolve, reject } of calls) {
      try {
        resolve(getRpcResult(name, method, byId.get(id) ?? null))
      } catch (error) {
        reject(error)
      }
    }
  }

  return {
    name,
    request(method, params, signal) {
      if (signal || !batchedMethods.has(method)) return sendOne(method, params, signal)
      return new Promise((resolve, reject) => {
        if (queued.length === 0) queueMicrotask(flush)
        queued.push({ id: ++id, method, params, resolve, reject })
      })
    },
  }
}

/** Creates a function that sends JSON and returns the JSON of the response; null if it is not JSON. */
function createPost({ name, url, timeoutMs = 10_000, maxBytes = 64 * 1024 * 1024 }: RpcOptions) {
  return async (body: unknown, what: string, signal?: AbortSignal): Promise<unknown> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const text = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).then(
      async (response) => {
        // Some providers return an error of one method with a 4xx status and the reason in a JSON body.
        if (response.status === 429 || response.status >= 500) {
          await response.body?.cancel()
          throw createRpcError(name, `answered ${what} with status ${response.status}`)
        }
        return readText(response, maxBytes).catch((cause) => {
          throw createRpcError(name, `did not finish its response to ${what}`, cause)
        })
      },
      (cause) => {
        throw createRpcError(
          name,
          timeout.aborted ? `did not answer ${what} in ${timeoutMs} ms` : `cannot be reached`,
          cause,
        )
      },
    )
    return parse(text)
  }
}

function getRpcResult(name: string, method: string, answer: RpcResponse | null): unknown {
  if (!answer) throw createRpcError(name, `answered ${method} with something other than JSON-RPC`)
  if (answer.error) throw new RpcResponseError(name, method, answer.error)
  if (!('result' in answer)) throw createRpcError(name, `answered ${method} with neither result nor error`)
  return answer.result
}

const createRpcError = (name: string, what: string, cause?: unknown) =>
  new ChainReadError(`${name} ${what}.`, { retryable: true, cause })

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`The response is longer than ${maxBytes} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

interface RpcResponse {
  id?: unknown
  result?: unknown
  error?: { code?: number; message?: string; data?: unknown }
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

/** The node returned an error: a revert, a range that is too wide, a method it does not support. */
export class RpcResponseError extends ChainReadError {
  override name = 'RpcResponseError'
  readonly rpcCode: number | undefined
  /** The revert data, if there is any. */
  readonly data: unknown

  constructor(
    provider: string,
    method: string,
    { code, message, data }: { code?: number; message?: string; data?: unknown },
  ) {
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
