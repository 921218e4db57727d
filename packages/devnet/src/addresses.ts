import { base } from '@svc/protocol'
import type { Address } from 'viem'

/** The address of USDC on the chain of production, and on local chains that have no USDC of their own. */
export const usdc: Address = base.usdc

/** The address of Multicall3 on nearly every chain. */
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
