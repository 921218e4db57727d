import { join } from 'node:path'
import { createChainVerifier, createSigningContext } from '@svc/chain'
import { decodeTaskText, formatTaskId, type Market, SvcError, type TaskId } from '@svc/protocol'
import { fetchSiteConfig, SiteConfigError } from '@svc/serve'
import {
  connectStore,
  type DeviceKeys,
  type EnsureKeysOptions,
  ensureKeys,
  type KeyStore,
  type PublishedStatement,
  type StoreConnection,
} from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import { type Address, getAddress, isAddressEqual, zeroAddress } from 'viem'
import { listTaskBundles, type TaskBundles } from '../listTaskBundles.ts'
import type { Markets } from '../market.ts'

/** Where work is sent and kept, from the command line or the environment. */
export interface WorkSettings {
  /** The market's domain, which sign-ins name. */
  domain: string
  /** The store; by default that of the API's site config. */
  storeUrl?: string | undefined
  /** The wallet of the store, for tasks whose terms name none. */
  storeAddress?: Address | undefined
  apiUrl?: string | undefined
  keyFolder: string
  /** Where sealed work waits until the store has it. */
  outbox: string
  /** Where messages that were read and sent are kept. */
  mailFolder: string
  /** Unix seconds. */
  now: () => number
  fetch?: ((request: Request) => Promise<Response>) | undefined
  progress: (line: string) => void
}

/** A wallet, its keys on this machine, and where they count. */
export interface WorkWallet {
  wallet: Address
  markets: Markets
  settings: WorkSettings
  keyStore: KeyStore
  /** What signing in takes. It asks for a signature only if no statement is usable. */
  signIn: EnsureKeysOptions
}

/** A task, its store, and the wallet that works with them. */
export interface WorkPlace extends WorkWallet, TaskBundles {
  taskId: TaskId
  store: StoreConnection
  /** The store that the terms name; null if they name none. */
  namedStore: Address | null
  /** What checks of statements and receipts need. */
  checks: ReturnType<typeof createChecks>
}

/** Opens the keys of a wallet. Asks for no signature yet. */
export function openWorkWallet(
  markets: Markets,
  settings: WorkSettings,
  { wallet, signMessage }: Pick<EnsureKeysOptions, 'wallet' | 'signMessage'>,
): WorkWallet {
  const keyStore = createKeyFolder(settings.keyFolder)
  const signIn = {
    wallet,
    keyStore,
    signMessage,
    domain: settings.domain,
    chainId: markets.deployments.chainId,
    now: settings.now(),
    verifySignature: createChainVerifier(markets.providers),
  }
  return { wallet, markets, settings, keyStore, signIn }
}

/** Opens a task for a wallet: reads it from the chain, signs in if necessary, and connects to its store. */
export async function openPlace(wallet: WorkWallet, taskId: TaskId): Promise<WorkPlace> {
  const bundles = await listTaskBundles(wallet.markets, taskId)
  const { store: named } = bundles.detail.terms
  const namedStore = named === zeroAddress ? null : named
  const place = await findStore(wallet.settings, taskId.market, namedStore)
  if (!place) {
    throw new SvcError('STORE_UNKNOWN', `The store of ${formatTaskId(taskId)} is not known.`, {
      hint: 'Set SVC_STORE_URL to its URL. If the terms name no store, its address is needed too.',
    })
  }
  const store = connect(wallet, place, await ensureKeys(wallet.signIn))
  return { ...wallet, ...bundles, taskId, store, namedStore, checks: createChecks(wallet, taskId, bundles) }
}

/** Connects to the store of the settings, for what concerns no task; null if there is none. */
export async function connectOwnStore(wallet: WorkWallet, keys: DeviceKeys): Promise<StoreConnection | null> {
  const place = await findStore(wallet.settings, 'standard', null).catch((error: unknown) => {
    // Signing in must work while the API is down.
    if (error instanceof SiteConfigError) return null
    throw error
  })
  return place && connect(wallet, place, keys)
}

interface StorePlace {
  url: string
  address: Address
}

/** Finds the store that terms name, or else the market's own; null if its URL or its address is unknown. */
async function findStore(
  { storeUrl, storeAddress, apiUrl }: WorkSettings,
  market: Market,
  named: Address | null,
): Promise<StorePlace | null> {
  const known = named ?? storeAddress
  if (storeUrl && known) return { url: storeUrl, address: known }
  const offered = apiUrl ? (await fetchSiteConfig(apiUrl, market)).store : null
  if (!apiUrl || !offered) return null
  const address = known ?? getAddress(offered.address)
  // The API knows the URL of its own store only.
  if (!storeUrl && !isAddressEqual(getAddress(offered.address), address)) return null
  return { url: storeUrl ?? new URL(offered.url, apiUrl).href, address }
}

function connect({ settings: { now, fetch } }: WorkWallet, { url, address }: StorePlace, keys: DeviceKeys) {
  return connectStore({ baseUrl: url, address, keys, now, ...(fetch && { fetch }) })
}

function createChecks({ signIn, markets }: WorkWallet, { market }: TaskId, { detail }: TaskBundles) {
  const { domain, chainId, now, verifySignature } = signIn
  const context = createSigningContext(markets.deployments, market)
  return { domain, chainId, now, verifySignature, context, published: findPublished(detail) }
}

/** The statement in the text of an open task. The chain has its hash, so it needs no store. */
function findPublished({ task, text }: TaskBundles['detail']): PublishedStatement | null {
  const { statement } = decodeTaskText(text ?? '')
  return statement ? { wallet: task.poster, statement } : null
}

/** The folders of keys and of the outbox, below the user's state folder. */
export const listWorkFolders = (stateFolder: string) => ({
  keyFolder: join(stateFolder, 'keys'),
  outbox: join(stateFolder, 'outbox'),
  mailFolder: join(stateFolder, 'mail'),
})
