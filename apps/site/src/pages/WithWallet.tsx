import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { MarketChoice } from '../parts/MarketChoice.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** A page about the reader's own wallet, in one market. */
export function WithWallet({ title, children }: { title: string; children: (address: Address) => ReactNode }) {
  const { address } = useWallet()
  return (
    <>
      <h1>{title}</h1>
      <MarketChoice />
      {address ? children(address) : <p className="notice">Connect a wallet to see what is yours here.</p>}
    </>
  )
}
