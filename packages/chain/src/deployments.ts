import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Market, markets, type SigningContext } from '@svc/protocol'
import { type Address, isAddress } from 'viem'

/** The contracts both markets share. */
const sharedNames = ['tokToken', 'usdc', 'usdOracle', 'pricingPolicy', 'timelock', 'treasury'] as const

/** The contracts each market has of its own, in the order they are deployed. */
export const marketNames = [
  'taskScopeRegistry',
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

/** Where the suite lives on one chain: the one thing every other part reads. */
export interface Deployments {
  chainId: number
  /** No log of the suite is older. */
  startBlock: number
  shared: SharedContracts
  markets: Record<Market, MarketContracts>
}

/** The local chain's deployments also say where it listens. */
export interface LocalDeployments extends Deployments {
  rpcUrl: string
}

/** The file `pnpm devnet` writes. */
export const localDeploymentsFile = fileURLToPath(new URL('../../../deployments/8453.local.json', import.meta.url))

/** Writes a deployments file. */
export async function saveDeployments(file: string, deployments: Deployments | LocalDeployments): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(deployments, null, 2)}\n`)
}

/** Reads what `pnpm devnet` wrote. Refuses when it never ran. */
export async function loadLocalDeployments(file = localDeploymentsFile): Promise<LocalDeployments> {
  const deployments = await loadDeployments(file)
  const rpcUrl = (deployments as Partial<LocalDeployments>).rpcUrl
  if (typeof rpcUrl !== 'string') throw new DeploymentsError(file, 'rpcUrl is missing')
  return { ...deployments, rpcUrl }
}

/** Reads a deployments file. Refuses one with a missing or malformed address. */
export async function loadDeployments(file: string): Promise<Deployments> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new DeploymentsError(file, 'it cannot be read; `pnpm devnet` writes it')
  })
  const json = JSON.parse(text)
  for (const key of ['chainId', 'startBlock']) {
    if (!Number.isSafeInteger(json[key])) throw new DeploymentsError(file, `${key} is not a number`)
  }
  checkAddresses(file, 'shared', sharedNames, json.shared)
  for (const market of markets) checkAddresses(file, `markets.${market}`, marketNames, json.markets?.[market])
  return json
}

/** What signatures of a market are bound to. */
export function signingContext({ chainId, shared, markets }: Deployments, market: Market): SigningContext {
  return { chainId, market, taskRegistry: markets[market].taskRegistry, asset: shared.tokToken }
}

function checkAddresses(file: string, place: string, names: readonly string[], found: unknown): void {
  for (const name of names) {
    const address = (found as Record<string, unknown> | undefined)?.[name]
    if (typeof address !== 'string' || !isAddress(address)) {
      throw new DeploymentsError(file, `${place}.${name} is not an address`)
    }
  }
}

/** A deployments file that is absent or wrong. */
export class DeploymentsError extends Error {
  override name = 'DeploymentsError'

  constructor(file: string, reason: string) {
    super(`${file}: ${reason}.`)
  }
}
