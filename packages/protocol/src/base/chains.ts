import { type Address, type Hex, numberToHex } from 'viem'

/** What is known of a chain. Every app takes the name, the explorer and the tokens of its chain from here. */
export interface ChainProfile {
  id: number
  /** Its name, as wallets show it. */
  name: string
  /** Base URL of its block explorer; null if it has none. */
  explorerUrl: string | null
  /** A public RPC endpoint. It is rate-limited and a single provider; null if there is none. */
  rpcUrl: string | null
  /** USDC; null if a deployment must name it. */
  usdc: Address | null
  /** What USDC's `name()` returns. Permits are signed for it, and it differs between chains. */
  usdcName: string
  /** Chainlink's sequencer uptime feed; null if there is none. */
  sequencerFeed: Address | null
  /** Reality.eth 3.0; null if there is none. A final court can ask it. */
  realityEth: Address | null
  /** Where wallets name themselves (basenames); null if there is no such place. */
  nameResolver: Address | null
  /** Uniswap v3, where TOK may be traded for USDC; null if the chain has none. */
  swap: SwapContracts | null
  /** Milliseconds between two blocks. */
  blockTimeMs: number
  /** What every page says above its content; null on a chain with real money. */
  banner: string | null
}

/** The contracts of Uniswap v3 that buying and selling TOK needs, and the wrapped ETH that its routers know. */
interface SwapContracts {
  /** SwapRouter02. */
  router: Address
  /** QuoterV2. */
  quoter: Address
  /** UniswapV3Factory. */
  factory: Address
  weth: Address
}

/** The CREATE2 deployer that exists at this address on nearly every chain, including anvil. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/**
 * The chain of production. Where the facts come from: chain id, explorer and endpoint docs.base.org, "Connect to Base"; USDC and its
 * name the default assets of x402 (compare them with developers.circle.com before a launch); Reality.eth
 * the package `@reality.eth/contracts`; the resolver of names github.com/base/basenames; the feed docs.chain.link, "L2 sequencer
 * uptime feeds"; the contracts of Uniswap docs.uniswap.org, "Base Deployments", and docs.base.org, "Contracts", which agree (`svc-admin check`
 * compares them with the chain); the block time docs.base.org, upgrade "Denim".
 */
export const base = {
  id: 8453,
  name: 'Base',
  explorerUrl: 'https://basescan.org',
  rpcUrl: 'https://mainnet.base.org',
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  usdcName: 'USD Coin',
  sequencerFeed: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
  realityEth: '0x2F39f464d16402Ca3D8527dA89617b73DE2F60e8',
  nameResolver: '0xC6d566A56A1aFf6508b41f6c90ff131615583BCD',
  swap: {
    router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
    factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
    weth: '0x4200000000000000000000000000000000000006',
  },
  blockTimeMs: 200,
  banner: null,
} as const satisfies ChainProfile

/** The testnet, from the same pages. Chainlink lists no sequencer feed for it. */
export const baseSepolia = {
  id: 84532,
  name: 'Base Sepolia',
  explorerUrl: 'https://sepolia.basescan.org',
  rpcUrl: 'https://sepolia.base.org',
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  usdcName: 'USDC',
  sequencerFeed: null,
  realityEth: '0x86b653Dc9aa6d7311109276925927087573f91CB',
  nameResolver: null,
  swap: {
    router: '0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4',
    quoter: '0xC5290058841028F1614F3A6F0F5816cAd0df5E27',
    factory: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    weth: '0x4200000000000000000000000000000000000006',
  },
  blockTimeMs: 200,
  banner: 'This is a test network. Its tokens have no value.',
} as const satisfies ChainProfile

/** A chain on this machine, with the id that local nodes have by default. */
const localChain = {
  id: 31337,
  name: 'Local chain',
  explorerUrl: null,
  rpcUrl: null,
  usdc: null,
  usdcName: 'USD Coin',
  sequencerFeed: null,
  realityEth: null,
  nameResolver: null,
  swap: null,
  blockTimeMs: 200,
  banner: 'This is a local chain. Its tokens have no value.',
} as const satisfies ChainProfile

/** The chains that this version knows. No other file of the sources may name a chain id. */
export const chainProfiles: readonly ChainProfile[] = [base, baseSepolia, localChain]

/**
 * Returns the profile of a chain. A chain that is not known has only its id for a name.
 *
 * @example
 * ```ts
 * getChainProfile(chainId).name // 'Base Sepolia'
 * ```
 */
export function getChainProfile(id: number): ChainProfile {
  return chainProfiles.find((profile) => profile.id === id) ?? { ...localChain, id, name: `Chain ${id}`, banner: null }
}

/** Returns the page of a transaction in the explorer of its chain; null if the chain has none. */
export function formatTransactionUrl({ explorerUrl }: ChainProfile, transactionHash: string): string | null {
  return explorerUrl && `${explorerUrl}/tx/${transactionHash}`
}

/** What a wallet is told about a chain that it does not know (EIP-3085). */
export interface AddChainParameter {
  chainId: Hex
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls?: string[]
}

/** Returns the parameter of `wallet_addEthereumChain`; null if the chain has no public endpoint, which wallets require. */
export function buildAddChainParameter({ id, name, rpcUrl, explorerUrl }: ChainProfile): AddChainParameter | null {
  if (rpcUrl === null) return null
  return {
    chainId: numberToHex(id),
    chainName: name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
    ...(explorerUrl !== null && { blockExplorerUrls: [explorerUrl] }),
  }
}

/** Where TOK is bought and sold: Uniswap v3 on this chain, and the pool of the deployment. */
export interface SwapPlace extends SwapContracts {
  pool: Address
  /** The fee of the pool, in hundredths of a basis point. */
  fee: number
}

/** Finds where TOK is bought and sold: the contracts of the chain, and the pool of the deployment. Null without a pool. */
export function findSwapPlace({
  chainId,
  swapPool,
}: {
  chainId: number
  swapPool?: Pick<SwapPlace, 'pool' | 'fee'> | undefined
}): SwapPlace | null {
  const { swap } = getChainProfile(chainId)
  return swap && swapPool ? { ...swap, ...swapPool } : null
}
