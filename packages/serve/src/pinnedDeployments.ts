import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  createProviders,
  createRpc,
  createViemChain,
  type Deployments,
  findDeploymentDifference,
  loadDeployments,
  marketNames,
  type Providers,
  parseDeployments,
  sharedNames,
  UntrustedDeploymentError,
  verifyDeployments,
} from '@svc/chain'
import { readBoundedJson } from '@svc/client/node'
import { apiEndpoints, operations, splitEndpoint } from '@svc/operations'
import { getChainProfile, type Market, SvcError } from '@svc/protocol'
import { defaultRpcUrl } from '@svc/protocol/internal/base'
import { getAddress } from 'viem'
import type { z } from 'zod'
import { type Environment, readConfig } from './config.ts'

type SiteConfig = z.output<typeof operations.getSiteConfig.output>

/** How long to wait for the API at a start. */
const timeoutMs = 10_000

interface PinOptions extends PinChoice {
  apiUrl: string
  /** Reads the chain of a deployment. */
  connect: (deployments: Deployments) => Providers
}

export interface PinChoice {
  environment: Environment
  /** Accepts what the API says now, after the same checks as at the first start. */
  repin: boolean
  /** Gets what the user should know. */
  notify: (message: string) => void
}

/**
 * Reads the environment of a program that needs no address file: the contracts are those of SVC_DEPLOYMENTS, or else those of
 * SVC_API_URL, verified on chain and pinned. Throws `EnvError`, or why the addresses cannot be used.
 */
export async function readConfigOrApi<Env extends { CHAIN_RPC_URL: string[]; SVC_API_URL?: string | undefined }>(
  readEnv: (environment: Environment) => Env,
  choice: PinChoice,
): Promise<{ env: Env; deployments: Deployments }> {
  const { environment } = choice
  // Reports errors of the environment and of the file together.
  if (environment.SVC_DEPLOYMENTS) return readConfig(readEnv, environment)
  const env = readEnv(environment)
  const isSet = Boolean(environment.SVC_RPC_URL || environment.CHAIN_RPC_URL)
  const listRpcUrls = ({ chainId }: Deployments) => (isSet ? env.CHAIN_RPC_URL : listPublicRpcUrls(chainId))
  const deployments = await loadApiDeployments(env.SVC_API_URL ?? '', listRpcUrls, choice)
  return { env: { ...env, CHAIN_RPC_URL: listRpcUrls(deployments) }, deployments }
}

/** The public endpoint of a chain, as our own list names it: an API may name the chain, but never the endpoint. */
export const listPublicRpcUrls = (chainId: number): string[] => [getChainProfile(chainId).rpcUrl ?? defaultRpcUrl]

/** Loads the addresses from the API, verified on chain and pinned. */
export function loadApiDeployments(
  apiUrl: string,
  listRpcUrls: (deployments: Deployments) => readonly string[],
  choice: PinChoice,
): Promise<Deployments> {
  const connect = (deployments: Deployments) =>
    createProviders(
      listRpcUrls(deployments).map((url, index) => createRpc({ name: `provider ${index + 1}`, url })),
      createViemChain(deployments.chainId),
    )
  return loadPinnedDeployments({ apiUrl, connect, ...choice })
}

/**
 * Returns the contract addresses of an API. At the first start they are read from its site config, verified on chain and pinned
 * in a file; later starts use the pin. An API that later names other addresses is refused: it was replaced, or it lies.
 */
async function loadPinnedDeployments(options: PinOptions): Promise<Deployments> {
  const { apiUrl, environment, connect, repin, notify } = options
  const file = getPinFile(apiUrl, environment)
  const pinned = repin ? null : await readPin(file)
  const offered = await fetchDeployments(apiUrl).catch((error: unknown) => {
    // Once pinned, the chain alone is enough.
    if (pinned && error instanceof SiteConfigError) return null
    throw error
  })
  if (!offered || pinned) {
    const difference = offered && pinned && findDeploymentDifference(pinned, offered)
    if (difference) throw new PinError(apiUrl, file, difference)
    if (pinned) return pinned
  }
  if (!offered) throw new SiteConfigError(apiUrl, 'does not answer')
  // Asks the node of CHAIN_RPC_URL, never the `rpcUrl` of the site config: a lying API would name a node that confirms its lies.
  const verified = await verifyDeployments(connect(offered), offered)
  await writePin(file, apiUrl, verified)
  notify(`verified the contracts of ${apiUrl} on chain ${offered.chainId} and pinned them in ${file}`)
  return verified
}

/** Returns the folder in which the tools and the gateway keep what must last. */
export function getStateFolder(environment: Environment): string {
  const state = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local/state')
  return join(state, 'svc-tools')
}

/** Returns the file of an API's pin, in the user's state folder. */
export function getPinFile(apiUrl: string, environment: Environment): string {
  const { host, pathname } = new URL(apiUrl)
  const hash = createHash('sha256')
    .update(`${host}${pathname.replace(/\/+$/, '')}`)
    .digest('hex')
  return join(getStateFolder(environment), `pin-${host.replace(/[^\w.-]/g, '_')}-${hash.slice(0, 12)}.json`)
}

async function readPin(file: string): Promise<Deployments | null> {
  const exists = await readFile(file).then(
    () => true,
    () => false,
  )
  return exists ? loadDeployments(file) : null
}

/** Writes the pin as a deployments file, in one step, so that no other start reads half of it. */
async function writePin(file: string, apiUrl: string, deployments: Deployments): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}`
  await rm(part, { force: true })
  await writeFile(part, `${JSON.stringify({ apiUrl, ...deployments }, null, 2)}\n`, { mode: 0o600 })
  await rename(part, file)
}

/** Reads the addresses of both markets from the site config of an API. */
async function fetchDeployments(apiUrl: string): Promise<Deployments> {
  const [standard, micro] = await Promise.all([fetchSiteConfig(apiUrl, 'standard'), fetchSiteConfig(apiUrl, 'micro')])
  const build = ({ chainId, startBlock, contracts }: SiteConfig) => {
    const shared = pickAddresses(sharedNames, contracts)
    const trusted = {
      standard: pickAddresses(marketNames, standard.contracts),
      micro: pickAddresses(marketNames, micro.contracts),
    }
    return parseDeployments(JSON.stringify({ chainId, startBlock, shared, markets: trusted }), apiUrl)
  }
  const difference = findDeploymentDifference(build(standard), build(micro))
  if (difference) throw new UntrustedDeploymentError(`the two markets name different contracts as ${difference.path}`)
  return build(standard)
}

const pickAddresses = (names: readonly (keyof SiteConfig['contracts'])[], contracts: SiteConfig['contracts']) =>
  Object.fromEntries(names.map((name) => [name, getAddress(contracts[name])]))

/** Reads the site config of an API. Throws `SiteConfigError`. */
export async function fetchSiteConfig(apiUrl: string, market: Market): Promise<SiteConfig> {
  const { path } = splitEndpoint(apiEndpoints.getSiteConfig)
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}${path}?market=${market}`, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new SiteConfigError(apiUrl, 'does not answer')
  })
  const body = await readBoundedJson(response).catch(() => null)
  const { success, data } = operations.getSiteConfig.output.safeParse(body)
  if (success && data.market === market) return data
  throw new SiteConfigError(apiUrl, `answers with status ${response.status} and without a complete site config`)
}

/** The API has no usable site config. */
export class SiteConfigError extends SvcError {
  override name = 'SiteConfigError'

  constructor(apiUrl: string, reason: string) {
    super('SITE_CONFIG', `${apiUrl} ${reason}. Check SVC_API_URL, or set SVC_DEPLOYMENTS to a file with the addresses.`)
  }
}

/** The API names other contracts than when it was pinned. */
export class PinError extends SvcError {
  override name = 'PinError'

  constructor(apiUrl: string, file: string, { path, known, other }: { path: string; known: string; other: string }) {
    super(
      'PIN_DIFFERS',
      `${apiUrl} now says that ${path} is ${other}, but it was pinned as ${known}. If the operator announced new contracts, accept them with --repin, or delete ${file}.`,
    )
  }
}
