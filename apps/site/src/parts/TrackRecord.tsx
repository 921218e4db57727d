import type { OutputJson } from '@svc/operations'
import type { ReactNode } from 'react'
import { Link } from '../router.tsx'
import { profileText as labels } from '../text/profile.ts'
import { describeUsual } from '../text/record.ts'
import { Amount } from '../ui/Amount.tsx'
import { Time } from '../ui/Time.tsx'
import { useTaskTitle } from './useTaskTitle.ts'

type Record = OutputJson<'getTrackRecord'>
type Source = keyof Record['sources']

type Row = readonly [label: string, value: ReactNode, source: Source | null]

const maxShownDisputes = 10

/** What is usual as a row, or no row with too few cases. */
function listUsual(label: string, median: Record['review'], noun: string, source: Source): readonly Row[] {
  const usual = describeUsual(median, noun)
  return usual ? [[label, `${usual.time}, ${usual.sample}`, source]] : []
}

/** What a wallet did, with a link from each number to the events or tasks that it comes from. */
export function TrackRecord({ of }: { of: Omit<Record, 'meta'> }) {
  const { review, payment, firstSeen, disputes, sources } = of
  const faults = of.leaves + of.dismissals + of.lapses
  const isNew = of.completed + faults + of.disputesWon + of.disputesLost === 0
  const rows: readonly Row[] = [
    [labels.earned, <Amount key="earned" of={of.earnedTokWei} usd />, 'paid'],
    [labels.paid, <Amount key="paid" of={of.paidTokWei} usd />, 'paid'],
    [labels.facts.completedAsPoster, of.completedAsPoster, 'completed'],
    [labels.facts.completedAsWorker, of.completedAsWorker, 'completed'],
    [labels.facts.distinctCounterparties, of.distinctCounterparties, 'distinctCounterparties'],
    ...listUsual(labels.reviews, review, 'answer', 'review'),
    ...listUsual(labels.payments, payment, 'payment', 'payment'),
    [labels.openAsPoster, of.openAsPoster.length, 'openAsPoster'],
    [labels.openAsWorker, of.openAsWorker.length, 'openAsWorker'],
    [labels.facts.disputesWon, of.disputesWon, 'disputes'],
    [labels.facts.disputesLost, of.disputesLost, 'disputes'],
    [labels.facts.leaves, of.leaves, 'leaves'],
    [labels.facts.dismissals, of.dismissals, 'dismissals'],
    [labels.facts.lapses, of.lapses, 'lapses'],
  ]
  return (
    <>
      <p className="row">
        <span className="big-number">{of.score}</span> <span className="soft">{labels.score}</span>
      </p>
      <p>{isNew ? labels.newcomer : labels.summary({ ...of, faults })}</p>
      <dl className="facts">
        {rows.map(([label, value, source]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {source ? (
                <a className="quiet-link" href={sources[source]} title={labels.describeSource(label)}>
                  {value}
                </a>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{labels.firstSeen}</dt>
          <dd>
            {firstSeen ? (
              <Link className="quiet-link" href={`/tasks/${firstSeen.taskId}`}>
                <Time at={firstSeen.at} />
              </Link>
            ) : (
              labels.none
            )}
          </dd>
        </div>
      </dl>
      {disputes.length > 0 && (
        <div className="stack tight">
          <h3>{labels.disputes}</h3>
          <ul className="stack tight small dispute-list">
            {disputes.slice(0, maxShownDisputes).map(({ taskId, round, role, ending, outcome, openedAt }) => (
              <li key={`${taskId} ${round}`} className="row wrapping">
                <Link href={`/tasks/${taskId}?tab=dispute`}>
                  <TaskTitle of={taskId} />
                </Link>
                <span className={outcome === 'won' ? 'pill good' : outcome === 'lost' ? 'pill loss' : 'pill'}>
                  {outcome === null ? labels.endings[ending] : labels.outcomes[outcome]}
                </span>
                <span className="soft">
                  {labels.roles[role]}, <Time at={openedAt} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {of.truncated && <p className="small soft">{labels.truncated}</p>}
      <p className="small soft">{labels.sources}</p>
      <details>
        <summary className="small">{labels.formula}</summary>
        <p className="small soft">{labels.formulaSays}</p>
        <p className="code">{of.formula}</p>
      </details>
    </>
  )
}

function TaskTitle({ of: id }: { of: string }) {
  return <span dir="auto">{useTaskTitle(id)}</span>
}
