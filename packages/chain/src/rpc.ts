import { ChainReadError } from './errors.ts'

/** One JSON-RPC endpoint. */
export interface Rpc {
  /** How logs call it; never its URL, which may carry a key. */
  name: string
  /** One call. Throws `ChainReadError`, or `RpcRefusal` where the node itself answered with an error. */
  request: (method: string, params: readonly unknown[], signal?: AbortSignal) => Promise<unknown>
}

export interface RpcOptions {
  name: string
  url: string
  timeoutMs?: number
  /** The largest answer that is read. */
  maxBytes?: number
}

/** Calls that wait for each other to go as one request: they are small, and come in hundreds. */
const batched: ReadonlySet<string> = new Set(['eth_getBlockByNumber'])

interface Call {
  id: number
  method: string
  params: readonly unknown[]
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

/**
 * An endpoint over HTTP: bounded in time and size, one attempt a call. Headers that are asked for in the same moment go as
 * one batch; one that is refused as a batch is halved, down to single calls.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name } = options
  const post = createPost(options)
  let [id, most, waiting] = [0, 50, [] as Call[]]

  const ask = async (method: string, params: readonly unknown[], signal?: AbortSignal) => {
    const answer = await post({ jsonrpc: '2.0', id: ++id, method, params }, method, signal)
    return resultOf(name, method, isAnswer(answer) ? answer : null)
  }
  const flush = () => {
    const calls = waiting
    waiting = []
    for (let at = 0; at < calls.length; at += most) void askAll(calls.slice(at, at + most))
  }
  const askAll = async (calls: readonly Call[]): Promise<void> => {
    const [only] = calls
    if (only && (calls.length === 1 || most === 1)) {
      for (const { method, params, resolve, reject } of calls) ask(method, params).then(resolve, reject)
      return
    }
    try {
      const body = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
      const answers = await post(body, 'a batch')
      if (Array.isArray(answers)) return settle(calls, answers)
      most = Math.max(1, Math.min(most, Math.floor(calls.length / 2)))
      for (let at = 0; at < calls.length; at += most) void askAll(calls.slice(at, at + most))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  const settle = (calls: readonly Call[], answers: readonly unknown[]) => {
    // They may come in any order.
    const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]))
    for (const { id, method, resolve, reject } of calls) {
      try {
        resolve(resultOf(name, method, byId.get(id) ?? null))
      } catch (error) {
        reject(error)
      }
    }
  }

  return {
    name,
    request(method, params, signal) {
      if (signal || !batched.has(method)) return ask(method, params, signal)
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(flush)
        waiting.push({ id: ++id, method, params, resolve, reject })
      })
    },
  }
}

/** Sends JSON and reads JSON; null stands for an answer that is none. */
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
        // A refusal of one method comes with 4xx from some providers, with a JSON body that says why.
        if (response.status === 429 || response.status >= 500) {
          await response.body?.cancel()
          throw failed(name, `answered ${what} with status ${response.status}`)
        }
        return readText(response, maxBytes).catch((cause) => {
          throw failed(name, `did not finish its answer to ${what}`, cause)
        })
      },
      (cause) => {
        throw failed(name, timeout.aborted ? `did not answer ${what} in ${timeoutMs} ms` : `cannot be reached`, cause)
      },
    )
    return parse(text)
  }
}

function resultOf(name: string, method: string, answer: RpcAnswer | null): unknown {
  if (!answer) throw failed(name, `answered ${method} with something else than JSON-RPC`)
  if (answer.error) throw new RpcRefusal(name, method, answer.error)
  if (!('result' in answer)) throw failed(name, `answered ${method} with neither result nor error`)
  return answer.result
}

const failed = (name: string, what: string, cause?: unknown) =>
  new ChainReadError(`${name} ${what}.`, { retryable: true, cause })

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

interface RpcAnswer {
  id?: unknown
  result?: unknown
  error?: { code?: number; message?: string; data?: unknown }
}

const isAnswer = (json: unknown): json is RpcAnswer => typeof json === 'object' && json !== null && !Array.isArray(json)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The node understood the call and refused it: a revert, a range too wide, a method it does not have. */
export class RpcRefusal extends ChainReadError {
  override name = 'RpcRefusal'
  readonly code: number | undefined
  /** Revert data, where there is some. */
  readonly data: unknown

  constructor(
    provider: string,
    method: string,
    { code, message, data }: { code?: number; message?: string; data?: unknown },
  ) {
    // Texts of providers go no further than logs, and not without end.
    super(`${provider} refused ${method}: ${String(message).slice(0, 200)} (${code}).`, {
      retryable: !isRevert(code, data),
    })
    this.code = code
    this.data = data
  }
}

/** A revert is the chain's own answer; everything else may be this provider's. */
function isRevert(code: number | undefined, data: unknown): boolean {
  return code === 3 || (typeof data === 'string' && data.startsWith('0x'))
}
