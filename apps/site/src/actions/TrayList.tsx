import { X } from 'lucide-react'
import { Link } from '../router.tsx'
import { walletText } from '../text/wallet.ts'
import { Time } from '../ui/Time.tsx'
import { describeTransaction } from './describeTransaction.ts'
import { Resume } from './Resume.tsx'
import { forgetTransaction, type Transaction } from './transactions.ts'

/** The transactions of the open tray. Apart from its button, because what describes and signs actions is large. */
export function TrayList({ transactions }: { transactions: readonly Transaction[] }) {
  return transactions.map((transaction) => (
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
      <Resume transaction={transaction} />
      {transaction.hashes.map((hash) => (
        <p key={hash} className="code tiny faint" title={hash}>
          {hash.slice(0, 18)}…{hash.slice(-6)}
        </p>
      ))}
    </li>
  ))
}
