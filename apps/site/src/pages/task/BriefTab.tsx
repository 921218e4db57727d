import type { TaskDetailJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { LockKeyhole } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { CourtLine } from '../../parts/CourtLine.tsx'
import { taskText } from '../../text/task.ts'
import { CopyButton } from '../../ui/Address.tsx'
import { formatShort, Worth } from '../../ui/Amount.tsx'
import { formatTimeSpan } from '../../ui/formatMoment.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

// Few tasks have files.
const BriefFiles = lazy(async () => ({ default: (await import('./BriefFiles.tsx')).BriefFiles }))

const labels = taskText.brief

/** What is to be done, in the poster's words, and what each part pays. */
export function BriefTab({ task }: { task: TaskDetailJson }) {
  return (
    <div className="stack loose">
      <section className="stack">
        <h2 className="visually-hidden">{labels.title}</h2>
        {task.text ? (
          <>
            <Markdown of={task.text.criteria} />
            <p className="small faint">{labels.unchecked}</p>
          </>
        ) : (
          <div className="card pad stack private-brief">
            <LockKeyhole size={22} aria-hidden="true" />
            <h3>{labels.privateTitle}</h3>
            <p className="soft">{labels.private}</p>
            <p className="row tiny">
              <span className="code faint">{task.criteriaHash}</span>
              <CopyButton value={task.criteriaHash} label={taskText.work.copyHash} />
            </p>
          </div>
        )}
      </section>
      {task.text?.files && (
        <Suspense fallback={<Skeleton lines={3} />}>
          <BriefFiles task={task} files={task.text.files} />
        </Suspense>
      )}
      <section className="stack">
        <h2 className="section-title">{labels.milestones}</h2>
        <ol className="milestones">
          {task.milestones.map((milestone, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
            <MilestoneRow key={index} task={task} milestone={milestone} index={index} />
          ))}
        </ol>
        <p className="small soft">
          {labels.review(formatTimeSpan(task.reviewWindowSeconds))} {labels.revisions(task.maxRevisions)}
        </p>
      </section>
      <section className="stack tight">
        <h2 className="section-title">{taskText.judge.title}</h2>
        <p className="row wrapping small">
          {task.arbitrator && <AddressLink of={task.arbitrator} market={task.market} />}
          <span className="soft">{task.arbitrator ? taskText.judge.named : taskText.judge.none}</span>
        </p>
        <CourtLine market={task.market} />
      </section>
    </div>
  )
}

type Milestone = TaskDetailJson['milestones'][number]

function MilestoneRow({ task, milestone, index }: { task: TaskDetailJson; milestone: Milestone; index: number }) {
  const isNow = index === task.currentMilestone && (task.state === 'ACTIVE' || task.state === 'DISPUTED')
  const label =
    isNow && task.state === 'DISPUTED'
      ? taskText.work.state.disputed
      : isNow && milestone.state === 'OPEN'
        ? taskText.milestoneNow
        : taskText.milestoneStates[milestone.state]
  return (
    <li className="milestone" aria-current={isNow ? 'step' : undefined}>
      <span className="milestone-number" aria-hidden="true">
        {index + 1}
      </span>
      <div className="stack tight">
        <strong dir="auto">{sanitizeText(task.text?.milestones[index] ?? taskText.milestoneNumber(index))}</strong>
        <span className="small soft">{labels.time(formatTimeSpan(milestone.durationSeconds))}</span>
      </div>
      <div className="milestone-pay">
        <strong>
          <Worth of={milestone.amountTokWei} />
        </strong>
        {/* Beside the only milestone of an open task, "to do" says nothing. */}
        {task.milestones.length > 1 || milestone.state !== 'OPEN' || isNow ? (
          <span className={milestone.state === 'PAID' ? 'pill good' : 'pill'}>{label}</span>
        ) : (
          <span className="tiny faint">{formatShort(BigInt(milestone.amountTokWei), 'tok')}</span>
        )}
      </div>
    </li>
  )
}
