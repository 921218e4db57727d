import { useEffect } from 'react'
import { useConnection } from 'wagmi'
import type { WalletProvider } from '../actions/send.ts'
import { Steps } from '../actions/Timeline.tsx'
import { resume } from '../actions/track.ts'
import { forgetTransaction, useTransactions } from '../actions/transactions.ts'
import { Link } from '../router.tsx'

/** What the reader has signed lately, on every page, also after a reload. */
export function Tray() {
  const transactions = useTransactions()
  const { connector, status } = useConnection()
  useEffect(() => {
    if (status !== 'connected') return
    void connector?.getProvider().then((provider) => resume(provider as WalletProvider))
  }, [status, connector])
  if (transactions.length === 0) return null
  return (
    <aside className="tray" aria-label="Your transactions">
      <details>
        <summary>Your transactions ({transactions.length})</summary>
        <ul>
          {transactions.map((transaction) => (
            <li key={transaction.id}>
              <p>
                {transaction.taskId ? (
                  <Link href={`/task/${transaction.taskId}`}>{transaction.summary}</Link>
                ) : (
                  transaction.summary
                )}
              </p>
              <Steps transaction={transaction} />
              {transaction.problem && <p className="problem">{transaction.problem}</p>}
              {transaction.hashes.map((hash) => (
                <p key={hash} className="code">
                  {hash}
                </p>
              ))}
              <button type="button" onClick={() => forgetTransaction(transaction.id)}>
                Remove from this list
              </button>
            </li>
          ))}
        </ul>
      </details>
    </aside>
  )
}
