// Where the examples find what they talk to: as the environment names it (see `.env.example`), else where `pnpm dev` is.
import { readFile } from 'node:fs/promises'
import { chainOf, createProviders, createRpc, loadDeployments, localDeploymentsFile, marketPlaces } from '@svc/chain'
import { accounts, type Person, publicKeys } from '@svc/devnet'
import { limits } from '@svc/protocol'
import type { PreparedJson } from '@svc/protocol/http'
import { createWalletClient, type Hex, http, type LocalAccount, publicActions, type TransactionReceipt } from 'viem'
import { z } from 'zod'

/** What `pnpm dev` writes while it runs, and where it is unless told otherwise. */
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

/** Opens the stack of the environment. Refuses when its deployments file or its chain is not there. */
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
  const known = chainOf(deployments.chainId)
  const settings = { chain: known, transport: http(rpcUrl), pollingInterval: 100 }
  const chain = createWalletClient(settings).extend(publicActions)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(rpcUrl).hostname)
  const isLocal = isHere && String(await chain.request({ method: 'web3_clientVersion' } as never)).startsWith('anvil')

  /** A person's key on a local chain. Everybody knows these keys, so they are refused elsewhere. */
  function publicKey(person: Person): Hex {
    if (!isLocal)
      throw new Error('Set PRIVATE_KEY: the keys of devnet accounts are public, and for a local devnet only.')
    console.log(`Using the public key of ${person} on the local devnet: ${accounts[person].address}`)
    return publicKeys[person]
  }

  return {
    apiUrl: env.SVC_API_URL || dev.apiUrl,
    gatewayUrl: env.SVC_GATEWAY_URL || dev.gatewayUrl,
    rpcUrl,
    deploymentsFile,
    deployments,
    places: marketPlaces(deployments),
    chain,
    /** The chain as `@svc/chain` and `@svc/reads` read it. */
    providers: createProviders([createRpc({ name: 'chain', url: rpcUrl })], known),
    /** Whether the chain's money is worth nothing and its clock can be moved. */
    isLocal,
    publicKey,
    /** PRIVATE_KEY, or without one a person's public key on a local chain. */
    key: (person: Person) => (env.PRIVATE_KEY as Hex) || publicKey(person),
    /** Signs and sends calls one after the other. */
    async send(account: LocalAccount, calls: Readonly<PreparedJson['calls']>): Promise<TransactionReceipt[]> {
      const receipts: TransactionReceipt[] = []
      for (const { to, data } of calls) {
        const hash = await chain.sendTransaction({ account, to: to as Hex, data: data as Hex })
        const receipt = await chain.waitForTransactionReceipt({ hash })
        if (receipt.status !== 'success') throw new Error(`The chain refused transaction ${hash}.`)
        receipts.push(receipt)
      }
      return receipts
    },
  }
}
