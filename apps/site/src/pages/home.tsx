import { lazy, Suspense } from 'react'
import { useConnection } from 'wagmi'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { VisitorHome } from './home/VisitorHome.tsx'

const MemberHome = lazy(async () => ({ default: (await import('./home/MemberHome.tsx')).MemberHome }))

/** The first page: for strangers what this is, for members what waits for them. */
export function HomePage() {
  const { address } = useWallet()
  const { isReconnecting } = useConnection()
  if (address)
    return (
      <Suspense fallback={<Skeleton lines={6} />}>
        <MemberHome address={address} />
      </Suspense>
    )
  // A known wallet connects by itself in a moment: its owner is not a stranger.
  return isReconnecting ? <Skeleton lines={6} /> : <VisitorHome />
}
