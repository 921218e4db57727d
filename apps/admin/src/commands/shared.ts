import { createProvider, createRpc, createViemChain, type Provider } from '@svc/chain'
import type { Environment } from '@svc/serve'
import type { Command } from 'commander'
import { AdminError } from '../adminError.ts'

/** What the commands need of the world. */
export interface AdminContext {
  environment: Environment
  print: (text: string) => void
  warn: (text: string) => void
}

export interface RpcOptions {
  rpc?: string | undefined
}

/** Adds the option that names providers. */
export const withRpc = (command: Command): Command =>
  command.option('--rpc <urls>', 'RPC URLs, separated by commas (default: SVC_RPC_URL or CHAIN_RPC_URL)')

/** Adds the options that name who signs. A key or password is never an argument. */
export const withSigner = (command: Command): Command =>
  command
    .option('--keystore <file>', 'keystore of the wallet that signs')
    .option('--password-file <file>', 'its password (default: SVC_ADMIN_PASSWORD, or a prompt)')
    .option('--remote-signer <url>', 'a signer that accepts eth_sendTransaction, such as Web3Signer')

/** Lists the URLs of the providers that the command line or the environment names. Throws if there is none. */
export function requireRpcUrls({ rpc }: RpcOptions, { environment }: AdminContext): string[] {
  const urls = rpc ?? environment.SVC_RPC_URL ?? environment.CHAIN_RPC_URL
  if (!urls) throw new AdminError('No provider is named. Give --rpc, or set CHAIN_RPC_URL.')
  return urls.split(',').slice(0, 8)
}

/** Connects to the providers that the command line or the environment names. */
export function connectProviders(
  chainId: number,
  options: RpcOptions,
  context: AdminContext,
): [Provider, ...Provider[]] {
  const [first, ...rest] = connectAll(requireRpcUrls(options, context), chainId)
  if (!first) throw new AdminError('No provider is named.')
  return [first, ...rest]
}

/** Connects to RPC providers. Their names do not contain the URL, which may carry a key. */
export function connectAll(urls: readonly string[], chainId: number): Provider[] {
  return urls.map((url, index) =>
    createProvider(createRpc({ name: `provider ${index + 1}`, url }), createViemChain(chainId)),
  )
}
