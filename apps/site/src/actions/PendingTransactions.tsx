import type { Market } from '@svc/protocol'
import { TransactionSteps } from './TransactionSteps.tsx'
import { useTransactions } from './transactions.ts'

/** The user's transactions in this market that are not mined yet. */
export function PendingTransactions({ market }: { market: Market }) {
  const open = useTransactions().filter(
    (each) => each.market === market && (each.stage === 'signing' || each.stage === 'sent'),
  )
  if (open.length === 0) return null
  return (
    <ul className="on-their-way" aria-label="On their way">
      {open.map((transaction) => (
        <li key={transaction.id}>
          {transaction.title}
          <TransactionSteps transaction={transaction} />
        </li>
      ))}
    </ul>
  )
}
