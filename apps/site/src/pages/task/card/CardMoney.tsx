import type { TaskDetailJson } from '@svc/client'
import { accessFee, exitDeposit, formatAmount } from '@svc/protocol'
import { Check } from 'lucide-react'
import { amounts } from '../../../text/amounts.ts'
import { cardText as labels } from '../../../text/card.ts'
import { formatShort, formatUsd } from '../../../ui/Amount.tsx'
import { usePrice } from '../../../usePrice.ts'
import type { Card } from './types.ts'

/** The largest number of the page: dollars if there is a price, and TOK small beside it. */
export function Pay({ card: { label, amount, state }, task }: { card: Card; task: TaskDetailJson }) {
  const price = usePrice()
  if (amount === null) return null
  const tok = formatShort(amount, 'tok')
  const earns = label === labels.labels.earn && task.phase === 'OPEN_FOR_CLAIM'
  const net = amount - accessFee
  return (
    <>
      {state === 'paid' && (
        <span className="card-tick" aria-hidden="true">
          <Check size={26} />
        </span>
      )}
      <p className={state === 'paid' ? 'card-pay paid' : 'card-pay'}>
        <span className="stack tight">
          <span className="small soft">{label}</span>
          <strong title={formatAmount(amount, 'tok')}>{price ? formatUsd(amount, price) : tok}</strong>
        </span>
        <span className="small faint">
          {price && <span>{tok}</span>}
          {earns && <span>{labels.afterFee(price ? formatUsd(net, price) : formatShort(net, 'tok'))}</span>}
        </span>
      </p>
    </>
  )
}

/** The amount in the bar of a phone, where the card may be out of sight. */
export function BarMoney({ of: amount }: { of: bigint }) {
  const price = usePrice()
  return <strong>{price ? formatUsd(amount, price) : formatShort(amount, 'tok')}</strong>
}

/** What it takes to claim, and what comes back. */
export function Needs() {
  const price = usePrice()
  const money = (wei: bigint) => (price ? formatUsd(wei, price) : formatShort(wei, 'tok'))
  const rows = [
    [labels.needs.fee, money(accessFee)],
    [labels.needs.hold, money(exitDeposit)],
    [labels.needs.deposit, amounts.entryDeposit],
  ] as const
  return (
    <dl className="card-needs">
      {rows.map(([[name, what], amount]) => (
        <div key={name}>
          <dt>
            {name} <span className="tiny soft">{what}</span>
          </dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the button costs, in one line. The receipt has the rest. */
export function Under({ card: { button, secondary }, task }: { card: Card; task: TaskDetailJson }) {
  const price = usePrice()
  const money = (wei: bigint) => (price ? formatUsd(wei, price) : formatShort(wei, 'tok'))
  if (button?.do === 'accept' || (button?.do === 'step' && button.step.action === 'claim-task')) {
    const usesCredit =
      button.do === 'step' &&
      button.step.costs.some(({ what, amount }) => what === 'Access fee' && !amount.endsWith('TOK'))
    return (
      <p className="tiny faint centred">
        {usesCredit ? labels.creditCosts(money(exitDeposit)) : labels.costs(money(accessFee), money(exitDeposit))}
      </p>
    )
  }
  const canRequest = secondary.some((each) => each.do === 'step' && each.step.action === 'request-revision')
  return canRequest ? (
    <p className="tiny faint centred">{labels.changesLeft(task.maxRevisions - task.revisions)}</p>
  ) : null
}
