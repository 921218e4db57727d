import type { TaskDetailJson } from '@svc/client'
import { formatAmount } from '@svc/protocol'
import type { ReactNode } from 'react'
import { taskText } from '../../text/task.ts'
import { formatShort, formatUsd } from '../../ui/Amount.tsx'
import { MoneyBar } from '../../ui/MoneyBar.tsx'
import { usePrice } from '../../usePrice.ts'

const labels = taskText.money

/** Where the money of a task is: dollars if there is a price. What the chain says of it is in one fold. */
export function MoneyCard({ task, children }: { task: TaskDetailJson; children: ReactNode }) {
  const price = usePrice()
  const money = (wei: bigint) => (price ? formatUsd(wei, price) : formatShort(wei, 'tok'))
  const [total, funded, paid, refunded] = [
    BigInt(task.totalAmountTokWei),
    BigInt(task.fundedTokWei),
    BigInt(task.releasedTokWei),
    BigInt(task.refundedTokWei),
  ]
  const held = funded - paid - refunded
  const milestone = task.milestones[task.currentMilestone]
  const isLive = task.phase !== 'SETTLED'
  const hasParts = isLive && task.phase !== 'OPEN_FOR_CLAIM' && task.milestones.length > 1
  const rows = [
    [labels.locked, held],
    [labels.paid, paid],
    ...(refunded > 0n ? ([[labels.refunded, refunded]] as const) : []),
    ...(hasParts && milestone ? ([[labels.milestone, BigInt(milestone.amountTokWei)]] as const) : []),
  ] as const
  return (
    <section className="card pad stack money-card">
      <h2 className="card-title">{labels.title(money(total))}</h2>
      <MoneyBar total={total} paid={paid} held={held} refunded={refunded} />
      <dl className="facts">
        {rows.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd title={formatAmount(amount, 'tok')}>{money(amount)}</dd>
          </div>
        ))}
      </dl>
      {isLive && funded < total && <p className="small soft">{labels.notFunded(money(total - funded))}</p>}
      <details className="proof">
        <summary>{labels.proof}</summary>
        {children}
      </details>
    </section>
  )
}
