import type { TaskDetailJson } from '@svc/client'
import { accessFee } from '@svc/protocol'
import { taskText } from '../../text/task.ts'
import { Amount, formatShort, Usd } from '../../ui/Amount.tsx'
import { MoneyBar } from '../../ui/MoneyBar.tsx'

const labels = taskText.money

/** Where the money of a task is. */
export function MoneyCard({ task }: { task: TaskDetailJson }) {
  const [total, funded, paid, refunded] = [
    BigInt(task.totalAmountTokWei),
    BigInt(task.fundedTokWei),
    BigInt(task.releasedTokWei),
    BigInt(task.refundedTokWei),
  ]
  const held = funded - paid - refunded
  const milestone = task.milestones[task.currentMilestone]
  const isLive = task.phase !== 'SETTLED'
  return (
    <section className="card pad stack money-card">
      <h2 className="card-title">{labels.title}</h2>
      <MoneyBar total={total} paid={paid} held={held} refunded={refunded} />
      <dl className="facts">
        <dt>{labels.budget}</dt>
        <dd>
          <Amount of={total} usd />
        </dd>
        {task.phase === 'OPEN_FOR_CLAIM' && (
          <>
            <dt title={labels.netHelp}>{labels.net}</dt>
            <dd>
              <strong>
                <Amount of={total - accessFee} />
              </strong>
              <Usd of={total - accessFee} />
            </dd>
          </>
        )}
        <dt>{labels.escrow}</dt>
        <dd>
          <Amount of={held} />
        </dd>
        <dt>{labels.paid}</dt>
        <dd>
          <Amount of={paid} />
        </dd>
        {refunded > 0n && (
          <>
            <dt>{labels.refunded}</dt>
            <dd>
              <Amount of={refunded} />
            </dd>
          </>
        )}
        {isLive && task.phase !== 'OPEN_FOR_CLAIM' && milestone && task.milestones.length > 1 && (
          <>
            <dt>{labels.milestone}</dt>
            <dd>
              <strong>
                <Amount of={milestone.amountTokWei} />
              </strong>
              <Usd of={BigInt(milestone.amountTokWei)} />
            </dd>
          </>
        )}
      </dl>
      {isLive && funded < total && <p className="small soft">{labels.notFunded(formatShort(total - funded, 'tok'))}</p>}
    </section>
  )
}
