import { createProvider, createRpc, createViemChain, type Provider } from '@svc/chain'

/** Connects to RPC providers. Their names do not contain the URL, which may carry a key. */
export function connectAll(urls: readonly string[], chainId: number): Provider[] {
  return urls.map((url, index) =>
    createProvider(createRpc({ name: `provider ${index + 1}`, url }), createViemChain(chainId)),
  )
}
