import { join } from 'node:path'
import { createSigningContext } from '@svc/chain'
import { parseTaskId, type TaskId } from '@svc/protocol'
import { createSignatureVerifier } from '@svc/protocol/negotiation'
import { connectStore, ensureKeys, type StoreConnection } from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import { type Address, type LocalAccount, zeroAddress } from 'viem'
import { listTaskBundles, type TaskBundles } from '../listTaskBundles.ts'
import { loadMarkets } from '../loadMarkets.ts'
import type { Markets } from '../market.ts'
import { type Options, type ProgramIo, readAccount } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { parseAddressArgument, requireArgument } from '../negotiate/parseArguments.ts'
import { getStateFolder } from '../pinnedDeployments.ts'

/** The streams of `svc-work`, and how it reaches a store. */
export interface WorkIo extends ProgramIo {
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** A task, its store, and the wallet that works with them. */
export interface WorkPlace extends TaskBundles {
  account: LocalAccount
  taskId: TaskId
  markets: Markets
  store: StoreConnection
  /** The store that the terms name; null if they name none. */
  namedStore: Address | null
  /** What checks of statements and receipts need. */
  checks: ReturnType<typeof createChecks>
  progress: (line: string) => void
}

/** Opens a task for the wallet of PRIVATE_KEY: reads it from the chain, signs in if necessary, and connects to its store. */
export async function openPlace(id: string, options: Options, io: WorkIo): Promise<WorkPlace> {
  const { environment, errors, now } = io
  const taskId = parseTaskId(id)
  const account = readAccount(environment.PRIVATE_KEY)
  const baseUrl = requireArgument(options.store ?? environment.SVC_STORE_URL, '--store (or SVC_STORE_URL)')
  const progress = (line: string) => void errors.write(`${line}\n`)
  const { env, markets } = await loadMarkets(environment, progress, {
    api: options.api,
    repin: options.repin !== undefined,
  })
  const domain = options.domain ?? (env.SVC_API_URL ? new URL(env.SVC_API_URL).host : undefined)
  if (!domain) throw new UsageError('The domain of the sign-in is missing. Pass --domain, or set SVC_API_URL.')
  const bundles = await listTaskBundles(markets, taskId)
  const { store: named } = bundles.detail.terms
  const namedStore = named === zeroAddress ? null : named
  const address = namedStore ?? parseAddressArgument(options['store-address'], '--store-address')
  const checks = createChecks(markets, taskId, { domain, now: now() })
  const keys = await ensureKeys({
    ...checks,
    wallet: account.address,
    keyStore: createKeyFolder(options.keys ?? join(getStateFolder(environment), 'keys')),
    signMessage: (message) => account.signMessage({ message }),
  })
  const store = connectStore({ baseUrl, address, keys, now, ...(io.fetch && { fetch: io.fetch }) })
  return { ...bundles, account, taskId, markets, store, namedStore, checks, progress }
}

function createChecks(
  { providers, deployments }: Markets,
  { market }: TaskId,
  { domain, now }: { domain: string; now: number },
) {
  const verifySignature = createSignatureVerifier((check) =>
    providers.read(async ({ client }) => {
      // verifyHash returns false if the provider does not respond, so check the provider first.
      await client.getBlockNumber()
      return client.verifyHash(check)
    }),
  )
  const context = createSigningContext(deployments, market)
  return { domain, chainId: deployments.chainId, now, verifySignature, context }
}
