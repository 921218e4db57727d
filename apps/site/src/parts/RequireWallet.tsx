import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Connect } from '../wallet/Connect.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** What needs a wallet. Asks to connect one first, and says what for. */
export function RequireWallet({
  description,
  children,
}: {
  description: string
  children: (address: Address) => ReactNode
}) {
  const { address, isConnecting } = useWallet()
  if (address) return children(address)
  if (isConnecting) return <Skeleton lines={6} />
  return (
    <section className="card pad ask-wallet">
      <p>{description}</p>
      <Connect big />
    </section>
  )
}
