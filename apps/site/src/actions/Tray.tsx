import { ArrowLeftRight } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConnection } from 'wagmi'
import { walletText } from '../text/wallet.ts'
import { findProvider } from '../wallet/provider.ts'
import { isPending, useTransactions } from './transactions.ts'

// What describes and signs actions is large, and most visitors have nothing to resume.
const TrayList = lazy(async () => ({ default: (await import('./TrayList.tsx')).TrayList }))

/** The recent transactions of the user: a button in the header, so that it never covers what a page asks for. */
export function Tray() {
  const transactions = useTransactions()
  const { connector, status } = useConnection()
  const hasAny = transactions.length > 0
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (status !== 'connected' || !hasAny) return
    void Promise.all([findProvider(connector), import('./track.ts')]).then(
      ([provider, { resumeTransactions }]) => provider && resumeTransactions(provider),
    )
  }, [status, connector, hasAny])
  if (!hasAny) return null
  const pending = transactions.filter(isPending).length
  const stopped = transactions.filter(({ stage }) => stage === 'partial').length
  return (
    <>
      <button
        type="button"
        className={stopped > 0 ? 'tray-button turn' : 'tray-button'}
        popoverTarget="tray"
        aria-label={walletText.transactions(transactions.length)}
        title={walletText.transactions(transactions.length)}
      >
        {pending > 0 ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <ArrowLeftRight size={18} aria-hidden="true" />
        )}
        {pending + stopped > 0 && <span className="count">{pending + stopped}</span>}
      </button>
      <div
        id="tray"
        className="menu tray"
        popover="auto"
        role="dialog"
        aria-label={walletText.yourTransactions}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <h2>{walletText.yourTransactions}</h2>
        <ul>
          <Suspense>{isOpen && <TrayList transactions={transactions} />}</Suspense>
        </ul>
      </div>
    </>
  )
}
