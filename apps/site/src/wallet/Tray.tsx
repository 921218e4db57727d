import { useEffect } from 'react'
import { useConnection } from 'wagmi'
import { TransactionSteps } from '../actions/Timeline.tsx'
import { resumeTransactions } from '../actions/track.ts'
import { describeTransaction, forgetTransaction, useTransactions } from '../actions/transactions.ts'
import { Link } from '../router.tsx'
import type { WalletProvider } from './provider.ts'

/** The recent transactions of the user, shown on every page. */
export function Tray() {
  const transactions = useTransactions()
  const { connector, status } = useConnection()
  useEffect(() => {
    if (status !== 'connected') return
    void connector?.getProvider().then((provider) => resumeTransactions(provider as WalletProvider))
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
                  <Link href={`/task/${transaction.taskId}`}>{describeTransaction(transaction)}</Link>
                ) : (
                  describeTransaction(transaction)
                )}
              </p>
              <TransactionSteps transaction={transaction} />
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
