import type { TaskDetailJson } from '@svc/client'
import { formatTransactionUrl } from '@svc/protocol/internal/base'
import { useState } from 'react'
import { chainProfile } from '../../deployments.ts'
import { Link } from '../../router.tsx'
import { text } from '../../text/common.ts'
import { taskText } from '../../text/task.ts'
import { shortenAddress } from '../../ui/Address.tsx'
import { formatShort } from '../../ui/Amount.tsx'
import { Face } from '../../ui/Face.tsx'
import { Time } from '../../ui/Time.tsx'
import { type Activity, describeActivity } from './activity.ts'
import { isSameAddress } from './viewer.ts'

const labels = taskText.activity

/** How activities are written on the page. */
export const activityFormat = {
  tok: (wei: bigint) => formatShort(wei, 'tok'),
  address: shortenAddress,
}

/** What happened to a task, in words, the newest first. The contract events are behind a switch. */
export function ActivityTab({ task, you }: { task: TaskDetailJson; you: string | undefined }) {
  const [isDetailed, setDetailed] = useState(false)
  return (
    <div className="stack">
      <ol className="activity">
        {describeActivity(task, activityFormat).map((activity) => (
          <ActivityRow key={activity.transactionHash} activity={activity} you={you} isDetailed={isDetailed} />
        ))}
      </ol>
      <label className="row small soft switch">
        <input type="checkbox" checked={isDetailed} onChange={() => setDetailed(!isDetailed)} />
        {labels.contractEvents}
      </label>
    </div>
  )
}

interface RowProps {
  activity: Activity
  you: string | undefined
  isDetailed: boolean
}

function ActivityRow({ activity: { at, who, summary, transactionHash, events }, you, isDetailed }: RowProps) {
  return (
    <li>
      {who ? <Face of={who} size={24} /> : <span className="activity-dot" aria-hidden="true" />}
      <div className="stack tight">
        <span>
          {who && (
            <>
              <Link className="activity-who" href={`/u/${who}`} title={who}>
                {isSameAddress(who, you) ? text.you : shortenAddress(who)}
              </Link>{' '}
            </>
          )}
          {summary}
        </span>
        {isDetailed && (
          <span className="tiny soft">
            {events.map(({ event, contract, logIndex }) => (
              <span className="code event-name" key={logIndex}>
                {contract}.{event}
              </span>
            ))}
            <TransactionLink hash={transactionHash} />
          </span>
        )}
      </div>
      <span className="tiny faint activity-time">
        <Time at={at} />
      </span>
    </li>
  )
}

/** A transaction, with a link where the chain has an explorer. */
function TransactionLink({ hash }: { hash: string }) {
  const url = formatTransactionUrl(chainProfile, hash)
  const label = `${labels.transaction} ${hash.slice(0, 10)}…`
  return url ? (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {label}
    </a>
  ) : (
    <span className="code">{label}</span>
  )
}
