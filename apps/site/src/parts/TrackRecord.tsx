import type { OutputJson } from '@svc/operations'
import { formatDuration } from '@svc/protocol'
import type { ReactNode } from 'react'
import { Link } from '../router.tsx'
import { profileText as words } from '../text/profile.ts'
import { Amount } from '../ui/Amount.tsx'
import { Time } from '../ui/Time.tsx'

type Record = OutputJson<'getTrackRecord'>
type Source = keyof Record['sources']

const maxShownDisputes = 10

/** What a wallet did, with a link from each number to the events or tasks that it comes from. */
export function TrackRecord({ of }: { of: Omit<Record, 'meta'> }) {
  const { review, payment, firstSeen, disputes, sources } = of
  const faults = of.leaves + of.dismissals + of.lapses
  const isNew = of.completed + faults + of.disputesWon + of.disputesLost === 0
  const rows: readonly (readonly [label: string, value: ReactNode, source: Source | null])[] = [
    [words.earned, <Amount key="earned" of={of.earnedTokWei} usd />, 'paid'],
    [words.paid, <Amount key="paid" of={of.paidTokWei} usd />, 'paid'],
    [words.facts.completedAsPoster, of.completedAsPoster, 'completed'],
    [words.facts.completedAsWorker, of.completedAsWorker, 'completed'],
    [words.facts.distinctCounterparties, of.distinctCounterparties, 'distinctCounterparties'],
    [words.reviews, review.seconds === null ? words.none : formatDuration(review.seconds), 'review'],
    [words.payments, payment.seconds === null ? words.none : formatDuration(payment.seconds), 'payment'],
    [words.openAsPoster, of.openAsPoster.length, 'openAsPoster'],
    [words.openAsWorker, of.openAsWorker.length, 'openAsWorker'],
    [words.facts.disputesWon, of.disputesWon, 'disputes'],
    [words.facts.disputesLost, of.disputesLost, 'disputes'],
    [words.facts.leaves, of.leaves, 'leaves'],
    [words.facts.dismissals, of.dismissals, 'dismissals'],
    [words.facts.lapses, of.lapses, 'lapses'],
  ]
  return (
    <>
      <p className="row">
        <span className="big-number">{of.score}</span> <span className="soft">{words.score}</span>
      </p>
      <p>{isNew ? words.newcomer : words.summary({ ...of, faults })}</p>
      <dl className="facts">
        {rows.map(([label, value, source]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {source ? (
                <a className="quiet-link" href={sources[source]} title={words.describeSource(label)}>
                  {value}
                </a>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.firstSeen}</dt>
          <dd>
            {firstSeen ? (
              <Link className="quiet-link" href={`/tasks/${firstSeen.taskId}`}>
                <Time at={firstSeen.at} />
              </Link>
            ) : (
              words.none
            )}
          </dd>
        </div>
      </dl>
      {disputes.length > 0 && (
        <div className="stack tight">
          <h3>{words.disputes}</h3>
          <ul className="stack tight small dispute-list">
            {disputes.slice(0, maxShownDisputes).map(({ taskId, round, role, ending, outcome, openedAt }) => (
              <li key={`${taskId} ${round}`} className="row wrapping">
                <Link href={`/tasks/${taskId}?tab=dispute`}>{taskId}</Link>
                <span className={outcome === 'won' ? 'pill good' : outcome === 'lost' ? 'pill loss' : 'pill'}>
                  {outcome === null ? words.endings[ending] : words.outcomes[outcome]}
                </span>
                <span className="soft">
                  {words.roles[role]}, <Time at={openedAt} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {of.truncated && <p className="small soft">{words.truncated}</p>}
      <p className="small soft">{words.sources}</p>
      <details>
        <summary className="small">{words.formula}</summary>
        <p className="small soft">{words.formulaSays}</p>
        <p className="code">{of.formula}</p>
      </details>
    </>
  )
}
