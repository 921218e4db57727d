import type { Address } from 'viem'

/** Where chain 8453 has its USDC. */
export const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Where nearly every chain has Multicall3. */
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Where nearly every chain, anvil too, has the CREATE2 proxy. */
export const create2Proxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
