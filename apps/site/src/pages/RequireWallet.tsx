import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { MarketChoice } from '../parts/MarketChoice.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** A page about the user's wallet in one market. Asks to connect a wallet first. */
export function RequireWallet({ title, children }: { title: string; children: (address: Address) => ReactNode }) {
  const { address } = useWallet()
  return (
    <>
      <h1>{title}</h1>
      <MarketChoice />
      {address ? children(address) : <p className="notice">Connect a wallet to see what is yours here.</p>}
    </>
  )
}
