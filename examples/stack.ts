// The services that the examples use: from the environment (see `.env.example`), or those of `pnpm dev`.
import { readFile } from 'node:fs/promises'
import {
  createProviders,
  createRpc,
  createViemChain,
  getMarketDeployment,
  loadDeployments,
  localDeploymentsFile,
} from '@svc/chain'
import { accounts, type Person, publicKeys } from '@svc/devnet'
import type { PreparedJson } from '@svc/operations'
import { limits } from '@svc/protocol'
import { createWalletClient, type Hex, http, type LocalAccount, publicActions, type TransactionReceipt } from 'viem'
import { z } from 'zod'

/** The file that `pnpm dev` writes while it runs, and its default addresses. */
const devFile = new URL('../.dev/stack.json', import.meta.url)
const devStack = z.object({
  rpcUrl: z.string(),
  apiUrl: z.string(),
  gatewayUrl: z.string(),
  deploymentsFile: z.string(),
})
const usual: z.infer<typeof devStack> = {
  rpcUrl: 'http://127.0.0.1:8545',
  apiUrl: `http://127.0.0.1:${limits.ports.site}`,
  gatewayUrl: `http://127.0.0.1:${limits.ports.gateway}`,
  deploymentsFile: localDeploymentsFile,
}

/** The services of a stack, its chain, and the keys that examples sign with. */
export type Stack = Awaited<ReturnType<typeof openStack>>

/** An RPC method that viem has no type for. */
type ClientVersion = { Method: 'web3_clientVersion'; Parameters?: undefined; ReturnType: string }

/** Opens the services. Throws if the deployments file or the chain is not available. */
export async function openStack() {
  // biome-ignore lint/style/noProcessEnv: the one place where the examples read it.
  const env = process.env
  const dev = await readFile(devFile, 'utf8').then(
    (text) => devStack.parse(JSON.parse(text)),
    () => usual,
  )
  const [rpcUrl = ''] = (env.SVC_RPC_URL || env.CHAIN_RPC_URL || dev.rpcUrl).split(',')
  const deploymentsFile = env.SVC_DEPLOYMENTS || dev.deploymentsFile
  const deployments = await loadDeployments(deploymentsFile)
  const known = createViemChain(deployments.chainId)
  const settings = { chain: known, transport: http(rpcUrl), pollingInterval: 100 }
  const chain = createWalletClient(settings).extend(publicActions)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(rpcUrl).hostname)
  const isLocal =
    isHere && String(await chain.request<ClientVersion>({ method: 'web3_clientVersion' })).startsWith('anvil')

  /** The public key of a devnet person. Everybody knows these keys, so they are used only on a local chain. */
  function publicKey(person: Person): Hex {
    if (!isLocal)
      throw new Error('Set PRIVATE_KEY. The keys of devnet accounts are public and only for a local devnet.')
    console.log(`Using the public key of ${person} on the local devnet: ${accounts[person].address}`)
    return publicKeys[person]
  }

  return {
    apiUrl: env.SVC_API_URL || dev.apiUrl,
    gatewayUrl: env.SVC_GATEWAY_URL || dev.gatewayUrl,
    rpcUrl,
    deploymentsFile,
    deployments,
    places: getMarketDeployment(deployments),
    chain,
    /** The markets for `@svc/chain` and `@svc/reads`. */
    providers: createProviders([createRpc({ name: 'chain', url: rpcUrl })], known),
    /** Whether this is a local chain, whose clock can be moved. */
    isLocal,
    publicKey,
    /** PRIVATE_KEY, if it is set. */
    ownKey: (env.PRIVATE_KEY || null) as Hex | null,
    /** The account of PRIVATE_KEY, or of a devnet person on a local chain. */
    key: (person: Person) => (env.PRIVATE_KEY as Hex) || publicKey(person),
    /** Signs and sends calls one after another. */
    async send(account: LocalAccount, calls: Readonly<PreparedJson['calls']>): Promise<TransactionReceipt[]> {
      const receipts: TransactionReceipt[] = []
      for (const { to, data } of calls) {
        const call = { account, to: to as Hex, data: data as Hex }
        // As wallets do: a call may need more gas in the next second, because what a staker earned is written then.
        const gas = await chain.estimateGas(call)
        const hash = await chain.sendTransaction({ ...call, gas: gas + gas / 4n })
        const receipt = await chain.waitForTransactionReceipt({ hash })
        if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted.`)
        receipts.push(receipt)
      }
      return receipts
    },
  }
}
