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

/** An endpoint over HTTP: bounded in time and size, one attempt a call. */
export function createRpc({ name, url, timeoutMs = 10_000, maxBytes = 64 * 1024 * 1024 }: RpcOptions): Rpc {
  let id = 0
  const failed = (what: string, retryable: boolean, cause?: unknown) =>
    new ChainReadError(`${name} ${what}.`, { retryable, cause })

  return {
    name,
    async request(method, params, signal) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
      const timeout = AbortSignal.timeout(timeoutMs)
      const text = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      }).then(
        async (response) => {
          // A refusal of one method comes with 4xx from some providers, with a JSON body that says why.
          if (response.status === 429 || response.status >= 500) {
            await response.body?.cancel()
            throw failed(`answered ${method} with status ${response.status}`, true)
          }
          return readText(response, maxBytes).catch((cause) => {
            throw failed(`did not finish its answer to ${method}`, true, cause)
          })
        },
        (cause) => {
          throw failed(
            timeout.aborted ? `did not answer ${method} in ${timeoutMs} ms` : `cannot be reached`,
            true,
            cause,
          )
        },
      )
      const answer = parse(text)
      if (!answer) throw failed(`answered ${method} with something else than JSON-RPC`, true)
      if (answer.error) throw new RpcRefusal(name, method, answer.error)
      if (!('result' in answer)) throw failed(`answered ${method} with neither result nor error`, true)
      return answer.result
    },
  }
}

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
  result?: unknown
  error?: { code?: number; message?: string; data?: unknown }
}

function parse(text: string): RpcAnswer | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : null
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
