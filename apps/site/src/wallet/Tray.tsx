import { ArrowLeftRight, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConnection } from 'wagmi'
import { describeTransaction, forgetTransaction, isPending, useTransactions } from '../actions/transactions.ts'
import { Link } from '../router.tsx'
import { walletText } from '../text/wallet.ts'
import { Time } from '../ui/Time.tsx'
import type { WalletProvider } from './provider.ts'

// What signs is large, and most visitors have nothing to resume.
const loadResume = () => import('../actions/Resume.tsx')
const Resume = lazy(async () => ({ default: (await loadResume()).Resume }))

/** The recent transactions of the user: a button in the header, so that it never covers what a page asks for. */
export function Tray() {
  const transactions = useTransactions()
  const { connector, status } = useConnection()
  const hasAny = transactions.length > 0
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (status !== 'connected' || !hasAny) return
    void Promise.all([connector?.getProvider(), import('../actions/track.ts')]).then(
      ([provider, { resumeTransactions }]) => resumeTransactions(provider as WalletProvider),
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
          {(isOpen ? transactions : []).map((transaction) => (
            <li key={transaction.id} data-stage={transaction.stage}>
              <div className="tray-head">
                <p>
                  {transaction.taskId ? (
                    <Link href={`/tasks/${transaction.taskId}`}>{describeTransaction(transaction)}</Link>
                  ) : (
                    <strong>{describeTransaction(transaction)}</strong>
                  )}
                  <span className="tiny faint">
                    <Time at={Math.floor(transaction.began / 1000)} />
                  </span>
                </p>
                <button
                  type="button"
                  className="copy"
                  aria-label={walletText.forget}
                  title={walletText.forget}
                  onClick={() => forgetTransaction(transaction.id)}
                >
                  <X size={15} aria-hidden="true" />
                </button>
              </div>
              <Suspense>
                <Resume transaction={transaction} />
              </Suspense>
              {transaction.hashes.map((hash) => (
                <p key={hash} className="code tiny faint" title={hash}>
                  {hash.slice(0, 18)}…{hash.slice(-6)}
                </p>
              ))}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
