import { type Answer, type RpcNode, type ServeOptions, type SimServer, serveNode } from '@svc/simulation/chain'
import type { ProviderFault } from './faults.ts'

/** Puts faults in front of a node. The first one sees a call first. */
const addFaults = (node: RpcNode, faults: readonly ProviderFault[]): RpcNode =>
  faults.reduceRight((inner, fault) => fault(inner), node)

/**
 * Starts a provider over HTTP with the limits and lies of real ones, in front of a simulated node or of one behind a
 * URL. Each call of a batch goes through the faults by itself.
 */
export function startProvider(
  node: RpcNode | string,
  faults: readonly ProviderFault[],
  options: ServeOptions = {},
): Promise<SimServer> {
  return serveNode(addFaults(typeof node === 'string' ? createRemoteNode(node) : node, faults), options)
}

/** A node behind a URL. */
export function createRemoteNode(url: string): RpcNode {
  return {
    async answer(method, params): Promise<Answer> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      if (!response.ok) return { status: response.status }
      const { result, error } = (await response.json()) as {
        result?: unknown
        error?: { code: number; message: string }
      }
      return error ? { error } : { result }
    },
  }
}
