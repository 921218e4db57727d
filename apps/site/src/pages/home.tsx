import { useConnection } from 'wagmi'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { MemberHome } from './home/MemberHome.tsx'
import { VisitorHome } from './home/VisitorHome.tsx'

/** The first page: for strangers what this is, for members what waits for them. */
export function HomePage() {
  const { address } = useWallet()
  const { isReconnecting } = useConnection()
  if (address) return <MemberHome address={address} />
  // A known wallet connects by itself in a moment: its owner is not a stranger.
  return isReconnecting ? <Skeleton lines={6} /> : <VisitorHome />
}
