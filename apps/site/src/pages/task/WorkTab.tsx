import type { TaskDetailJson } from '@svc/client'
import { FileCheck, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { bundleText } from '../../text/bundle.ts'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { formatMoment } from '../../ui/formatMoment.ts'
import { Note } from '../../ui/Note.tsx'
import { formatLocal, Time, useNow } from '../../ui/Time.tsx'
import type { PlacedBundle } from '../../work/show/placeBundles.ts'
import { TaskBundle } from '../../work/show/TaskBundle.tsx'
import { useBundle } from '../../work/useBundle.ts'
import { formatBytes } from '../../work/write/formatBytes.ts'
import type { Delivery } from './deliveries.ts'

const labels = taskText.work
/** Older deliveries are fetched when the visitor opens them. */
const openedAtOnce = 3

interface WorkTabProps {
  task: TaskDetailJson
  deliveries: readonly Delivery[]
  /** Whether the user is the one who reviews. */
  isReviewer: boolean
  /** Who has no key yet, and so cannot open what the user sent. */
  waiting?: readonly string[]
}

/** What was delivered, the newest first. A request for changes stands above the version that it is about. */
export function WorkTab({ task, deliveries, isReviewer, waiting = [] }: WorkTabProps) {
  if (deliveries.length === 0) return <Empty icon={FileCheck}>{labels.none}</Empty>
  return (
    <div className="stack">
      {waiting.length > 0 && <Note>{isReviewer ? labels.requestUnread : labels.deliveryUnread}</Note>}
      <DeliveryList task={task} deliveries={deliveries} isReviewer={isReviewer} />
      <p className="small faint">{labels.checkedHere}</p>
    </div>
  )
}

/** Deliveries as cards, each with what changed since the version before it. */
export function DeliveryList({ task, deliveries, isReviewer }: WorkTabProps) {
  return deliveries.map((delivery, index) => (
    <DeliveryCard
      key={`${delivery.milestone} ${delivery.version}`}
      task={task}
      delivery={delivery}
      previous={deliveries.find(
        ({ milestone, version }) => milestone === delivery.milestone && version === delivery.version - 1,
      )}
      isReviewer={isReviewer}
      isOpened={index < openedAtOnce}
    />
  ))
}

interface DeliveryCardProps {
  task: TaskDetailJson
  delivery: Delivery
  previous: Delivery | undefined
  isReviewer: boolean
  isOpened: boolean
}

function DeliveryCard({ task, delivery, previous, isReviewer, isOpened }: DeliveryCardProps) {
  const [isShown, setShown] = useState(isOpened)
  const { milestone, version, at, bundle, request, receipt, outcome } = delivery
  const isYours = outcome === 'review' && isReviewer
  const tone = isYours ? 'pill turn' : outcome === 'paid' ? 'pill good' : 'pill'
  const isCurrent = outcome === 'review' || outcome === 'disputed'
  const before = previous?.bundle ? { bundle: previous.bundle, version: previous.version } : undefined
  return (
    <>
      {request && (
        <section className="change-request stack tight" aria-label={labels.requestTitle(version)}>
          <TaskBundle task={task} bundle={request} />
        </section>
      )}
      <article className={isCurrent ? 'card pad stack' : 'card pad stack past'}>
        <div className="row between wrapping">
          <h3>{labels.title(milestone + 1, version)}</h3>
          <span className={tone}>{isYours ? labels.state.yours : labels.state[outcome]}</span>
        </div>
        {!bundle || !isShown ? (
          <p className="row small soft wrapping">
            {labels.delivered} <Time at={at} />
            {bundle && (
              <Button size="small" onClick={() => setShown(true)}>
                {bundleText.open}
              </Button>
            )}
          </p>
        ) : (
          <>
            {isYours && <CannotOpen task={task} bundle={bundle} />}
            <TaskBundle task={task} bundle={bundle} previous={before} />
          </>
        )}
        {receipt ? (
          <p className="row small seal">
            <ShieldCheck size={17} aria-hidden="true" />
            {labels.receipt(formatBytes(receipt.size), formatLocal(receipt.until))}
          </p>
        ) : (
          task.store !== null && outcome === 'review' && <p className="small soft">{labels.noReceipt}</p>
        )}
      </article>
    </>
  )
}

/** What a reviewer can do who cannot open the delivery, before silence pays for it. */
function CannotOpen({ task, bundle }: { task: TaskDetailJson; bundle: PlacedBundle }) {
  const now = useNow()
  const { problem } = useBundle(bundle.reference)
  if (problem?.kind !== 'locked' && problem?.kind !== 'signIn' && problem?.kind !== 'missing') return null
  // Silence pays only for what the named store has signed for.
  const pays = task.store === null || task.receipted
  const until = pays && task.deadlines.review !== null ? formatMoment(task.deadlines.review, now) : null
  return (
    <Note>
      <p>{problem.kind === 'signIn' ? labels.openFirst : labels.cannotOpen}</p>
      {until !== null && <p>{labels.wayOut(until, task.maxRevisions > task.revisions)}</p>}
    </Note>
  )
}
