import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { CategoryTile } from '../../parts/Category.tsx'
import { readExcerpt } from '../../parts/TaskList.tsx'
import { Link } from '../../router.tsx'
import { homeText } from '../../text/home.ts'
import { Worth } from '../../ui/Amount.tsx'
import { Face } from '../../ui/Face.tsx'
import { Time } from '../../ui/Time.tsx'
import { type PaidWork, usePaidWork } from './lists.ts'
import { useShortName } from './Story.tsx'

const labels = homeText.paidWork

/** The work that was paid before the newest: who did it for whom, and for how much. */
export function PaidCards({ market }: { market: Market }) {
  const shown = usePaidWork(market)?.slice(1) ?? []
  if (shown.length === 0) return null
  return (
    <section className="stack" aria-labelledby="paid-work">
      <div className="row between">
        <h2 id="paid-work">{labels.heading}</h2>
        <a className="small" href={`/api/market/events?market=${market}&event=PaymentRecorded`}>
          {labels.check}
        </a>
      </div>
      <ul className="paid-cards">
        {shown.map((each) => (
          <PaidCard key={each.id} of={each} />
        ))}
      </ul>
    </section>
  )
}

function PaidCard({ of }: { of: PaidWork }) {
  const poster = useShortName(of.poster)
  const worker = useShortName(of.worker)
  return (
    <li className="card">
      <CategoryTile title={of.title} size={44} />
      <h3 dir="auto">
        <Link href={`/tasks/${of.id}`}>{sanitizeText(of.title)}</Link>
      </h3>
      <p className="small soft paid-brief" dir="auto">
        {readExcerpt(of.excerpt)}
      </p>
      <div className="paid-foot">
        <span className="pair">
          <Face of={of.worker} size={28} />
          <Face of={of.poster} size={28} />
        </span>
        <span className="stack tight tiny soft">
          <span>{labels.who(worker, poster)}</span>
          <Time at={of.at} />
        </span>
        <b>
          <Worth of={of.amountTokWei} />
        </b>
      </div>
    </li>
  )
}
