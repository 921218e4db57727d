import { type Address, getAddress } from 'viem'
import { deriveAddress } from './places.ts'

/** A wallet of the simulated world. One that cannot sign takes no part where the contracts ask for a signature. */
export interface SimWallet {
  address: Address
  signs: boolean
  /** Registers as an arbitrator at the start. */
  judges: boolean
  /** Stakes with the Union at the start. */
  stakes: boolean
}

/** Creates wallets that all sign; some of them judge and stake. */
export function createWallets(count: number): SimWallet[] {
  return Array.from({ length: count }, (_, index) => {
    const address = getAddress(deriveAddress(`wallet ${index}`))
    return { address, signs: true, judges: index % 4 === 3, stakes: index % 3 === 0 }
  })
}
