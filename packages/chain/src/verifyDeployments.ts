import { type Market, marketParams, markets, SvcError } from '@svc/protocol'
import {
  type Address,
  type Hex,
  hexToBytes,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  sliceHex,
  toHex,
  zeroAddress,
} from 'viem'
import { type Deployments, type MarketContracts, marketNames, type SharedContracts } from './deployments.ts'
import type { Providers } from './providers.ts'
import { type RuntimeCode, runtimeCodes } from './runtimeCodes.ts'

/** Shared contracts whose code is ours. USDC, the treasury and the final court belong to others. */
const sharedContracts = ['tokToken', 'usdOracle', 'pricingPolicy', 'timelock'] as const

/** The contract whose address an immutable holds, by the names of the sources. */
const wiring: Readonly<Record<string, keyof SharedContracts | keyof MarketContracts>> = {
  AGREEMENTS: 'agreements',
  ARBITRATION: 'arbitration',
  ASSET: 'tokToken',
  DEPOSITS: 'depositVault',
  ESCROW: 'escrowVault',
  ESCROW_VAULT: 'escrowVault',
  FINAL_COURT: 'finalCourt',
  GATEWAY: 'paymentGateway',
  PAYMENT_GATEWAY: 'paymentGateway',
  PRICING_POLICY: 'pricingPolicy',
  REGISTRY: 'taskRegistry',
  REPUTATION: 'reputationRegistry',
  SCOPES: 'taskScopeRegistry',
  STAKING_VAULT: 'stakingVault',
  TASK_REGISTRY: 'taskRegistry',
  TOK: 'tokToken',
  TREASURY: 'treasury',
  USDC: 'usdc',
  finalCourt: 'finalCourt',
}

/**
 * Checks on chain that addresses are those of one complete suite of our contracts: the chain id, the code of each contract, the
 * contracts that it is wired to, its market and its parameters. It cannot tell apart two suites that were deployed from the
 * same sources. Returns the deployment with the hashes of the code. Throws `UntrustedDeploymentError` with the first difference.
 */
export async function verifyDeployments(providers: Providers, deployments: Deployments): Promise<Deployments> {
  const chainId = await providers.read(({ client }) => client.getChainId())
  if (chainId !== deployments.chainId) {
    throw new UntrustedDeploymentError(
      `they are for chain ${deployments.chainId}, but the RPC provider is on chain ${chainId}`,
    )
  }
  const contracts = listContracts(deployments)
  const codes = await Promise.all(
    contracts.map(({ address }) => providers.read(({ client }) => client.getCode({ address }))),
  )
  // All code first: what wrong code is wired to means nothing.
  const checked = contracts.map((contract, index) => {
    const found = readContract(contract, codes[index] ?? '0x')
    if ('fault' in found) throw new UntrustedDeploymentError(found.fault)
    return { contract, values: found.values }
  })
  for (const { contract, values } of checked) {
    const fault = findWrongImmutable(contract, values, deployments)
    if (fault) throw new UntrustedDeploymentError(fault)
  }
  const hashes = contracts.map(({ address }, index) => [address, keccak256(codes[index] ?? '0x')] as const)
  return { ...deployments, codeHashes: Object.fromEntries(hashes) }
}

/** One of our contracts in a deployment. */
export interface DeployedContract {
  name: (typeof sharedContracts)[number] | keyof MarketContracts | 'realityCourt'
  /** Its name, with its market if it has one. */
  path: string
  address: Address
  market: Market | null
}

/** Lists the contracts of a deployment whose code is ours. */
export function listContracts({ shared, markets: all }: Deployments): DeployedContract[] {
  return [
    ...sharedContracts
      // A deployment without an oracle sells plans for USDC only.
      .filter((name) => name !== 'usdOracle' || !isAddressEqual(shared.usdOracle, zeroAddress))
      .map((name) => ({ name, path: name, address: shared[name], market: null })),
    ...markets.flatMap((market) =>
      marketNames.map((name) => ({ name, path: `${market} ${name}`, address: all[market][name], market })),
    ),
  ]
}

/** Returns the final court of a deployment, if its code is ours too. */
export const describeRealityCourt = ({ shared }: Pick<Deployments, 'shared'>): DeployedContract => ({
  name: 'realityCourt',
  path: 'finalCourt',
  address: shared.finalCourt,
  market: null,
})

/** Describes how deployed code differs from what this version and the deployment expect; null if it does not. */
export function findWrongCode(contract: DeployedContract, code: Hex, deployments: Deployments): string | null {
  const found = readContract(contract, code)
  return 'fault' in found ? found.fault : findWrongImmutable(contract, found.values, deployments)
}

function readContract({ name, path, address }: DeployedContract, code: Hex) {
  const runtime = runtimeCodes[name]
  if (!runtime || code === '0x') return { fault: `there is no contract at ${address}, the address of ${path}` }
  const values = readImmutables(runtime, code)
  return values ? { values } : { fault: `${path} at ${address} is not the contract of this version` }
}

function findWrongImmutable(
  { path, address, market }: DeployedContract,
  values: ReadonlyMap<string, Hex>,
  deployments: Deployments,
): string | null {
  for (const [variable, value] of values) {
    const expected = expectImmutable(variable, { deployments, address, market })
    if (expected === null || expected === value) continue
    return `${path} at ${address} belongs to other contracts: its ${variable} is ${value}, not ${expected}`
  }
  return null
}

/** Reads the immutables from deployed code; null if the rest of the code is not that of the contract. */
function readImmutables({ bytes, hash, immutables }: RuntimeCode, code: Hex): Map<string, Hex> | null {
  const masked = hexToBytes(code)
  if (masked.length !== bytes) return null
  const values = new Map<string, Hex>()
  for (const [variable, offsets] of Object.entries(immutables)) {
    for (const at of offsets) {
      const value = sliceHex(code, at, at + 32)
      // The compiler writes the same value everywhere.
      if ((values.get(variable) ?? value) !== value) return null
      values.set(variable, value)
      masked.fill(0, at, at + 32)
    }
  }
  return keccak256(masked) === hash ? values : null
}

interface Place {
  deployments: Deployments
  address: Address
  market: Market | null
}

/** Returns the value that an immutable must have; null if a deployment may choose it, such as a price feed. */
function expectImmutable(variable: string, { deployments, address, market }: Place): Hex | null {
  const { chainId, shared, markets: all } = deployments
  if (variable === '_cachedThis') return toWord(address)
  if (variable === '_cachedChainId') return numberToHex(chainId, { size: 32 })
  const addresses: Readonly<Record<string, Address>> = { ...shared, ...(market && all[market]) }
  const wired = addresses[wiring[variable] ?? '']
  if (wired) return toWord(wired)
  if (market === null) return null
  // A short string: its characters on the left, its length on the right.
  if (variable === 'MARKET') return `${toHex(market, { size: 31 })}${numberToHex(market.length, { size: 1 }).slice(2)}`
  const parameter = Object.entries(marketParams[market]).find(([name]) => toConstantCase(name) === variable)
  return parameter ? numberToHex(parameter[1], { size: 32 }) : null
}

const toWord = (address: Address): Hex => pad(address).toLowerCase() as Hex
const toConstantCase = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** Finds the first difference between two deployments; null if they are equal. */
export function findDeploymentDifference(
  known: Deployments,
  other: Deployments,
): { path: string; known: string; other: string } | null {
  const rows = [
    { path: 'chainId', known: String(known.chainId), other: String(other.chainId) },
    { path: 'startBlock', known: String(known.startBlock), other: String(other.startBlock) },
    ...Object.entries(known.shared).map(([name, address]) => ({
      path: name,
      known: address,
      other: other.shared[name as keyof SharedContracts],
    })),
    ...markets.flatMap((market) =>
      marketNames.map((name) => ({
        path: `${market} ${name}`,
        known: known.markets[market][name],
        other: other.markets[market][name],
      })),
    ),
  ]
  return rows.find((row) => row.known.toLowerCase() !== row.other.toLowerCase()) ?? null
}

/** Addresses are not those of our contracts on this chain. */
export class UntrustedDeploymentError extends SvcError {
  override name = 'UntrustedDeploymentError'

  constructor(reason: string) {
    super('UNTRUSTED_DEPLOYMENT', `These addresses are refused: ${reason}.`)
  }
}
