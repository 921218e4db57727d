import type { TaskDetailJson } from '@svc/client'
import { accessFee } from '@svc/protocol'
import { taskText } from '../../text/task.ts'
import { Amount, formatShort, Usd } from '../../ui/Amount.tsx'
import { MoneyBar } from '../../ui/MoneyBar.tsx'

const words = taskText.money

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
      <h2 className="card-title">{words.title}</h2>
      <MoneyBar total={total} paid={paid} held={held} refunded={refunded} />
      <dl className="facts">
        <dt>{words.budget}</dt>
        <dd>
          <Amount of={total} usd />
        </dd>
        {task.phase === 'OPEN_FOR_CLAIM' && (
          <>
            <dt title={words.netHelp}>{words.net}</dt>
            <dd>
              <strong>
                <Amount of={total - accessFee} />
              </strong>
              <Usd of={total - accessFee} />
            </dd>
          </>
        )}
        <dt>{words.escrow}</dt>
        <dd>
          <Amount of={held} />
        </dd>
        <dt>{words.paid}</dt>
        <dd>
          <Amount of={paid} />
        </dd>
        {refunded > 0n && (
          <>
            <dt>{words.refunded}</dt>
            <dd>
              <Amount of={refunded} />
            </dd>
          </>
        )}
        {isLive && task.phase !== 'OPEN_FOR_CLAIM' && milestone && task.milestones.length > 1 && (
          <>
            <dt>{words.milestone}</dt>
            <dd>
              <strong>
                <Amount of={milestone.amountTokWei} />
              </strong>
              <Usd of={BigInt(milestone.amountTokWei)} />
            </dd>
          </>
        )}
      </dl>
      {isLive && funded < total && <p className="small soft">{words.notFunded(formatShort(total - funded, 'tok'))}</p>}
    </section>
  )
}
