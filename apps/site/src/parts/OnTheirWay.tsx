import type { Market } from '@svc/protocol'
import { Steps } from '../actions/Timeline.tsx'
import { useTransactions } from '../actions/transactions.ts'

/** What the reader has sent to this market and no block has yet, before the lists that will show it. */
export function OnTheirWay({ market }: { market: Market }) {
  const open = useTransactions().filter(
    (each) => each.market === market && (each.stage === 'signing' || each.stage === 'sent'),
  )
  if (open.length === 0) return null
  return (
    <ul className="on-their-way" aria-label="On their way">
      {open.map((transaction) => (
        <li key={transaction.id}>
          {transaction.summary}
          <Steps transaction={transaction} />
        </li>
      ))}
    </ul>
  )
}
