import type { TaskDetailJson } from '@svc/client'
import { computeSettlementDigest, parseTaskTerms } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { useState } from 'react'
import { useApi } from '../../api.ts'
import { getSigningContext } from '../../deployments.ts'
import { setQuery } from '../../router.tsx'
import { taskText } from '../../text/task.ts'
import { formatShort } from '../../ui/Amount.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { useNow } from '../../ui/Time.tsx'
import { Connect } from '../../wallet/Connect.tsx'
import { useStore } from '../../work/useStore.ts'
import { ActionDialog, type OpenedAction } from './ActionDialog.tsx'
import { Actions } from './Actions.tsx'
import { arrangeSteps, type Step } from './arrangeSteps.ts'
import { Blocked } from './Blocked.tsx'
import { findClock } from './clock.ts'
import { formatMoment, formatTimeSpan } from './formatMoment.ts'
import { OwnResult } from './OwnResult.tsx'
import { getProgress } from './progress.ts'
import { findViewer, type Viewer } from './viewer.ts'

interface StatusCardProps {
  task: TaskDetailJson
  viewer: Viewer
  wallet: `0x${string}` | undefined
}

/** Where the task stands, the one clock, and what the user's wallet can do. */
export function StatusCard({ task, viewer, wallet }: StatusCardProps) {
  const found = useApi('listSteps', { id: task.id, address: wallet ?? '' }, wallet !== undefined)
  const [opened, setOpened] = useState<OpenedAction | null>(null)
  const [since] = useState(() => Date.now())
  const store = useStore(task.market)
  const { steps = [], blocked = [] } = wallet ? (found.body ?? {}) : {}
  const arranged = arrangeSteps(steps, task.phase, hasSpoken(task, viewer))
  const { steps: names, at, isLoss } = getProgress(task)
  const isSettled = task.phase === 'SETTLED'
  const open = (action: Omit<OpenedAction, 'openedAt'>) => setOpened({ ...action, openedAt: Date.now() })
  return (
    <section className="card raised pad stack status-card">
      <h2 className="visually-hidden">{taskText.phases[task.phase]}</h2>
      <Stepper steps={names} at={at} tone={arranged.isTurn ? 'turn' : isLoss ? 'loss' : 'plain'} />
      {isSettled ? <Ending task={task} /> : <Clock task={task} viewer={viewer} isTurn={arranged.isTurn} />}
      {!opened && <OwnResult task={task} since={since} />}
      {!wallet ? (
        !isSettled && (
          <div className="stack">
            <p className="small soft">
              {task.phase === 'OPEN_FOR_CLAIM' ? taskText.blocked.connectToClaim : taskText.blocked.connect}
            </p>
            <div className="action-bar">
              <Connect big />
            </div>
          </div>
        )
      ) : !found.body ? (
        found.error ? null : (
          <Skeleton lines={2} />
        )
      ) : (
        <>
          <Actions
            arranged={arranged}
            task={task}
            viewer={viewer}
            onChoose={(step) => open(describeStep(step, task, wallet))}
            onApply={store ? openTalk : undefined}
          />
          {!arranged.primary && !isSettled && (
            <Blocked
              entries={blocked}
              phase={task.phase}
              hasOther={steps.length > 0}
              onOpen={open}
              onClaim={() => open(describeClaim(task, wallet))}
            />
          )}
        </>
      )}
      {opened && <ActionDialog key={opened.openedAt} opened={opened} task={task} onClose={() => setOpened(null)} />}
    </section>
  )
}

/** Shows the Talk tab, also on a phone, where it is below the card. */
function openTalk(): void {
  setQuery({ tab: 'talk' })
  document.querySelector('[role="tablist"]')?.scrollIntoView()
}

/** Whether the user's side of a dispute has given evidence. */
const hasSpoken = ({ dispute }: TaskDetailJson, viewer: Viewer): boolean =>
  (viewer === 'poster' && dispute?.posterSpoke) || (viewer === 'worker' && dispute?.workerSpoke) || false

/** What the form of a step knows already. */
function describeStep(
  { action, title, derived, required }: Step,
  task: TaskDetailJson,
  wallet: `0x${string}`,
): Omit<OpenedAction, 'openedAt'> {
  const known = action === 'claim-task' ? { ...derived, settlementDigest: computeDigest(task, wallet) } : derived
  const opened = { name: action, title, required, offered: task.store ? ['receipt'] : [] }
  // A party may agree to the judge whom the other side proposes, or propose another one.
  if (action === 'propose-arbitrator' && findViewer(task, wallet) !== 'visitor') {
    const { arbitrator, ...rest } = derived
    return { ...opened, known: rest, start: arbitrator ? { arbitrator: String(arbitrator) } : {} }
  }
  return { ...opened, known }
}

/** Claims a task whose only obstacle is the deposit. The receipt puts the top-up first. */
function describeClaim(task: TaskDetailJson, wallet: `0x${string}`): Omit<OpenedAction, 'openedAt'> {
  const { name, title } = actions['claim-task']
  return { name, title, known: { taskId: task.id, settlementDigest: computeDigest(task, wallet) } }
}

/** Computed from the terms on this page, so that the user claims exactly what they saw. */
const computeDigest = (task: TaskDetailJson, wallet: `0x${string}`): string =>
  computeSettlementDigest(getSigningContext(task.market), parseTaskTerms(task.terms), wallet)

/** The one clock. Amber only if it is the user's turn. */
function Clock({ task, viewer, isTurn }: { task: TaskDetailJson; viewer: Viewer; isTurn: boolean }) {
  const now = useNow()
  const clock = findClock(task, viewer, now, (at) => formatMoment(at, now), isTurn)
  if (!clock) return null
  return (
    <div className={isTurn ? 'clock turn' : 'clock'}>
      {clock.to !== null && <strong>{taskText.left(formatTimeSpan(clock.to - now))}</strong>}
      <span>{clock.label}</span>
    </div>
  )
}

/** How a task ended. */
function Ending({ task }: { task: TaskDetailJson }) {
  const labels = taskText.ends
  const paid = formatShort(BigInt(task.releasedTokWei), 'tok')
  const refunded = formatShort(BigInt(task.refundedTokWei), 'tok')
  const summary =
    task.state === 'COMPLETED'
      ? labels.completed(paid)
      : task.state === 'RESOLVED'
        ? labels.resolved(paid, refunded)
        : [
            (task.state === 'CANCELLED' ? labels.cancelled : labels.expired)(refunded),
            ...(BigInt(task.releasedTokWei) > 0n ? [labels.alsoPaid(paid)] : []),
          ].join(' ')
  return <p className={task.state === 'COMPLETED' ? 'clock good' : 'clock'}>{summary}</p>
}
