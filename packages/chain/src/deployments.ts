import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { base, type Market, markets, type SigningContext, SvcError } from '@svc/protocol'
import { type Address, type Hex, isAddress, isHash } from 'viem'

/** Addresses that both markets share. The treasury and the final court need not be contracts. */
export const sharedNames = [
  'tokToken',
  'usdc',
  'usdOracle',
  'pricingPolicy',
  'timelock',
  'treasury',
  'finalCourt',
] as const

/** Contracts that each market has of its own, in deployment order. */
export const marketNames = [
  'taskScopeRegistry',
  'agreements',
  'escrowVault',
  'depositVault',
  'paymentGateway',
  'stakingVault',
  'arbitration',
  'reputationRegistry',
  'taskRegistry',
  'taskLens',
] as const

export type SharedContracts = Record<(typeof sharedNames)[number], Address>
export type MarketContracts = Record<(typeof marketNames)[number], Address>

/** A pool, and its fee in hundredths of a basis point. "svc-admin check" compares it with what the factory says. */
export interface SwapPool {
  pool: Address
  fee: number
}

/** Addresses of all contracts on one chain. Every app reads them from a deployments file. */
export interface Deployments {
  chainId: number
  /** The first block that can contain a log of these contracts. */
  startBlock: number
  shared: SharedContracts
  markets: Record<Market, MarketContracts>
  /** The Uniswap v3 pool where TOK is traded for USDC. Without it, nobody is offered to buy or sell TOK. */
  swapPool?: SwapPool
  /** The hash of the code of each of our contracts, by address. Without it, the code of this version is expected. */
  codeHashes?: Readonly<Record<Address, Hex>>
}

/** Deployments of a local chain, with the URL of its node. */
export interface LocalDeployments extends Deployments {
  rpcUrl: string
}

/** The file that `pnpm devnet` writes. */
export const localDeploymentsFile = fileURLToPath(
  new URL(`../../../deployments/${base.id}.local.json`, import.meta.url),
)

/** Writes a deployments file. */
export async function saveDeployments(file: string, deployments: Deployments | LocalDeployments): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(deployments, null, 2)}\n`)
}

/** Loads the deployments that `pnpm devnet` wrote. Throws if it never ran. */
export async function loadLocalDeployments(file = localDeploymentsFile): Promise<LocalDeployments> {
  const deployments = await loadDeployments(file)
  const rpcUrl = (deployments as Partial<LocalDeployments>).rpcUrl
  if (typeof rpcUrl !== 'string') throw new DeploymentsError(file, 'rpcUrl is missing')
  return { ...deployments, rpcUrl }
}

/** Loads a deployments file. Throws `DeploymentsError` if an address is missing or malformed. */
export async function loadDeployments(file: string): Promise<Deployments> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new DeploymentsError(file, 'cannot read the file; run `pnpm devnet` to create it')
  })
  return parseDeployments(text, file)
}

/** Parses the JSON of deployments. Throws `DeploymentsError` with its source if an address is missing or malformed. */
export function parseDeployments(text: string, source: string): Deployments {
  const json = JSON.parse(text)
  for (const key of ['chainId', 'startBlock']) {
    if (!Number.isSafeInteger(json[key])) throw new DeploymentsError(source, `${key} is not a number`)
  }
  checkAddresses(source, 'shared', sharedNames, json.shared)
  for (const market of markets) checkAddresses(source, `markets.${market}`, marketNames, json.markets?.[market])
  if (json.swapPool !== undefined) {
    checkAddresses(source, 'swapPool', ['pool'], json.swapPool)
    const { fee } = json.swapPool
    if (!Number.isSafeInteger(fee) || fee <= 0 || fee >= 1_000_000)
      throw new DeploymentsError(source, 'swapPool.fee is not a fee in hundredths of a basis point')
  }
  for (const [address, hash] of Object.entries(json.codeHashes ?? {})) {
    if (isAddress(address) && typeof hash === 'string' && isHash(hash)) continue
    throw new DeploymentsError(source, `codeHashes.${address} is not the hash of the code at an address`)
  }
  return json
}

/** Returns the chain, registry and asset that signatures of a market are bound to. */
export function createSigningContext({ chainId, shared, markets }: Deployments, market: Market): SigningContext {
  return { chainId, market, taskRegistry: markets[market].taskRegistry, asset: shared.tokToken }
}

function checkAddresses(file: string, path: string, names: readonly string[], found: unknown): void {
  for (const name of names) {
    const address = (found as Record<string, unknown> | undefined)?.[name]
    if (typeof address !== 'string' || !isAddress(address)) {
      throw new DeploymentsError(file, `${path}.${name} is not an address`)
    }
  }
}

/** A deployments file is missing or invalid. */
export class DeploymentsError extends SvcError {
  override name = 'DeploymentsError'

  constructor(file: string, reason: string) {
    super('DEPLOYMENTS', `${file}: ${reason}.`)
  }
}
