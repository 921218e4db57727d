import type { Market } from '@svc/protocol'
import type { ReactNode } from 'react'
import { useApi } from '../../api.ts'
import { spellDuration } from '../../text/duration.ts'
import { homeText } from '../../text/home.ts'
import { count, describeUsual, leastCases } from '../../text/record.ts'
import { Worth } from '../../ui/Amount.tsx'
import { useNow } from '../../ui/Time.tsx'

const labels = homeText.numbers

/** What the market paid lately. Each number opens the events that it was counted from; what too few cases say is left out. */
export function Numbers({ market }: { market: Market }) {
  const { body } = useApi('getMarketNumbers', { market })
  const now = useNow()
  if (!body || body.since === null) return null
  const { payments, paidTokWei, since, wait, deliveredTasks, disputedTasks, sources } = body
  const usual = describeUsual(wait, 'payment')
  return (
    <section className="numbers" aria-label={labels.label}>
      <Figure href={sources.payments} value={<Worth of={paidTokWei} />}>
        {labels.paid(count(payments, 'payment'), spellDuration(now - since))}
      </Figure>
      {usual && (
        <Figure href={sources.deliveries} value={usual.time}>
          {labels.wait(usual.sample)}
        </Figure>
      )}
      {deliveredTasks >= leastCases && (
        <Figure href={sources.disputes} value={labels.disputed(disputedTasks / deliveredTasks)}>
          {labels.ofTasks(count(deliveredTasks, 'task'))}
        </Figure>
      )}
    </section>
  )
}

const Figure = ({ href, value, children }: { href: string; value: ReactNode; children: ReactNode }) => (
  <p>
    <a href={href}>{value}</a>
    <span className="small soft">{children}</span>
  </p>
)
