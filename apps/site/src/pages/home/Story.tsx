import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { readExcerpt } from '../../parts/TaskList.tsx'
import { Link } from '../../router.tsx'
import { homeText } from '../../text/home.ts'
import { shortenAddress } from '../../ui/Address.tsx'
import { Worth } from '../../ui/Amount.tsx'
import { Face } from '../../ui/Face.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Time } from '../../ui/Time.tsx'
import { getFirstName, useName } from '../../usePerson.ts'
import { type PaidWork, usePaidWork } from './lists.ts'

const labels = homeText.story

/** The newest paid task of the market in three lines, so that a stranger sees how one goes. Nothing if none was paid yet. */
export function Story({ market }: { market: Market }) {
  const paid = usePaidWork(market)
  if (paid?.length === 0) return null
  const [newest] = paid ?? []
  return (
    <figure className="card raised story" aria-label={labels.label}>
      {newest ? <Lines of={newest} /> : <Skeleton lines={6} />}
    </figure>
  )
}

function Lines({ of }: { of: PaidWork }) {
  const poster = useShortName(of.poster)
  const worker = useShortName(of.worker)
  return (
    <ol>
      <li>
        <Face of={of.poster} size={36} />
        <p>
          <strong>{poster}</strong> {labels.posted}{' '}
          <Link href={`/tasks/${of.id}`} dir="auto">
            {sanitizeText(of.title)}
          </Link>
        </p>
        <p className="tiny faint story-brief" dir="auto">
          {readExcerpt(of.excerpt)}
        </p>
      </li>
      <li>
        <Face of={of.worker} size={36} />
        <p>
          <strong>{worker}</strong> {labels.delivered}
        </p>
      </li>
      <li>
        <Face of={of.poster} size={36} />
        <p>
          <strong>{poster}</strong> {labels.approved}
        </p>
        <p className="story-paid">
          <span className="stack tight">
            {labels.paid(worker)}
            <span className="tiny">
              <Time at={of.at} />
            </span>
          </span>
          <b>
            <Worth of={of.amountTokWei} />
          </b>
        </p>
      </li>
    </ol>
  )
}

/** The first name of a wallet, or its address in short. */
export function useShortName(address: string): string {
  const name = useName(address)
  return name ? getFirstName(name) : shortenAddress(address)
}
