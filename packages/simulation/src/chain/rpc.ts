import { ChainReadError, createLearnedLimit, type Rpc, RpcResponseError } from '@svc/chain'
import type { RpcNode } from './node.ts'

export interface SimRpcOptions {
  name: string
  timeoutMs?: number
  /** Waits for a timeout. By default the call times out at once, without real time. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Wraps a node as an `Rpc` without HTTP, with the same answers and errors. */
export function simRpc(node: RpcNode, { name, timeoutMs = 10_000, wait = async () => {} }: SimRpcOptions): Rpc {
  const failed = (what: string) => new ChainReadError(`${name} ${what}.`, { retryable: true })
  return {
    name,
    logRange: createLearnedLimit(),
    async request(method, params, signal) {
      if (signal?.aborted) throw failed('cannot be reached')
      const answer = await node.answer(method, params)
      if ('result' in answer) return answer.result
      if ('error' in answer) throw new RpcResponseError(name, method, answer.error)
      if ('status' in answer) throw failed(`answered ${method} with status ${answer.status}`)
      if ('text' in answer) throw failed(`answered ${method} with something other than JSON-RPC`)
      await wait(timeoutMs, signal)
      throw failed(signal?.aborted ? 'cannot be reached' : `did not answer ${method} in ${timeoutMs} ms`)
    },
  }
}
