import type { Market } from '@svc/protocol'
import { lazy, Suspense } from 'react'
import { useTransactions } from './transactions.ts'

// Most visitors have none.
const TransactionSteps = lazy(async () => ({ default: (await import('./TransactionSteps.tsx')).TransactionSteps }))

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
          <Suspense>
            <TransactionSteps transaction={transaction} />
          </Suspense>
        </li>
      ))}
    </ul>
  )
}
