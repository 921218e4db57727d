import type { Address } from 'viem'

/** The address of USDC on chain 8453. */
export const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** The address of Multicall3 on nearly every chain. */
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The address of the CREATE2 proxy on nearly every chain, including anvil. */
export const create2Proxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
