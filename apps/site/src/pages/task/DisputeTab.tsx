import type { DisputeJson, TaskDetailJson } from '@svc/client'
import type { Market } from '@svc/protocol'
import { computeGap, computeRulingPay } from '@svc/protocol/internal/money'
import { findAskedJudge } from '@svc/protocol/internal/records'
import { Gavel } from 'lucide-react'
import type { ReactNode } from 'react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { taskText } from '../../text/task.ts'
import { formatShort, Worth } from '../../ui/Amount.tsx'
import { formatMoment, formatTimeSpan } from '../../ui/formatMoment.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { Note } from '../../ui/Note.tsx'
import { useNow } from '../../ui/Time.tsx'
import type { PlacedBundle } from '../../work/show/placeBundles.ts'
import { TaskBundle } from '../../work/show/TaskBundle.tsx'
import { useOpenable } from '../../work/useOpenable.ts'
import type { Delivery } from './deliveries.ts'
import { isSameAddress } from './viewer.ts'
import { DeliveryList } from './WorkTab.tsx'

const labels = taskText.dispute
const percent = (bps: number) => `${bps / 100} %`

/** A dispute: both shares on one scale, the evidence, what was delivered, who judges, the clocks, and what a ruling pays. */
export function DisputeTab({
  task,
  dispute,
  bundles,
  deliveries,
  you,
  children,
}: {
  task: TaskDetailJson
  dispute: DisputeJson
  bundles: readonly PlacedBundle[]
  deliveries: readonly Delivery[]
  you: string | undefined
  /** The form of what the visitor can do. It stands below the evidence and covers nothing. */
  children: ReactNode
}) {
  const isOpen = dispute.phase !== 'CLOSED'
  const opener = dispute.openedBy === 'poster' ? task.poster : task.worker
  return (
    <div className="court">
      {dispute.workerBps !== null && (
        <Note tone="plain">
          {labels.endings[dispute.ending]} {labels.outcome(percent(dispute.workerBps))}
        </Note>
      )}
      <Reasons task={task} bundles={bundles} />
      {isOpen && dispute.ruledFor !== null && <RulingTable dispute={dispute} />}
      <section className="card pad stack court-facts">
        <div className="row between wrapping">
          <h2 className="section-title">{labels.about(task.currentMilestone + 1)}</h2>
          <strong>
            <Worth of={dispute.amountTokWei} />
          </strong>
        </div>
        {opener && (
          <p className="row small soft wrapping">
            <AddressLink of={opener} market={task.market} you={you} /> {labels.opened}
          </p>
        )}
        <ShareScale dispute={dispute} />
        {isOpen && <p className="small soft">{labels.gap(formatShort(computeGap(dispute), 'tok'))}</p>}
      </section>
      {isOpen && <Clocks dispute={dispute} />}
      {(dispute.phase === 'OPEN' || dispute.phase === 'EVIDENCE') && (
        <CanOpen task={task} bundles={bundles} you={you} />
      )}
      <div className="court-sides">
        <Delivered task={task} deliveries={deliveries} />
        <Evidence task={task} dispute={dispute} bundles={bundles} you={you} />
      </div>
      {children}
      <Judges dispute={dispute} market={task.market} you={you} />
      {isOpen && dispute.ruledFor === null && <RulingTable dispute={dispute} />}
    </div>
  )
}

/** Why the judge and the final court decided as they did, the last word first. */
function Reasons({ task, bundles }: { task: TaskDetailJson; bundles: readonly PlacedBundle[] }) {
  const rulings = bundles.filter(({ reference }) => reference.kind === 'ruling').reverse()
  if (rulings.length === 0) return null
  return (
    <section className="stack">
      <h2 className="section-title">{labels.reasons}</h2>
      {rulings.map((bundle) => (
        <article className="card pad" key={bundle.transactionHash}>
          <TaskBundle task={task} bundle={bundle} />
        </article>
      ))}
    </section>
  )
}

/** The evidence of both sides, the newest first. */
function Evidence({
  task,
  dispute,
  bundles,
  you,
}: {
  task: TaskDetailJson
  dispute: DisputeJson
  bundles: readonly PlacedBundle[]
  you: string | undefined
}) {
  const evidence = bundles.filter(({ reference }) => reference.kind === 'evidence').reverse()
  const sides = (['poster', 'worker'] as const).map((side) => ({
    side,
    isYou: isSameAddress(task[side], you),
    given: evidence.filter(({ reference }) => isSameAddress(reference.author, task[side])),
  }))
  return sides.map(({ side, isYou, given }) => (
    <section className={`card pad stack ${side}-side`} key={side}>
      <h2 className="card-title">{isYou ? labels.ownSide[side] : labels.sides[side]}</h2>
      {given.length === 0 && <p className="small soft">{labels.silent[side]}</p>}
      {given.map((bundle) => (
        <TaskBundle key={bundle.transactionHash} task={task} bundle={bundle} />
      ))}
      <p className="small side-share">
        {side === 'poster' ? labels.offer(percent(dispute.offerBps)) : labels.ask(percent(dispute.askBps))}
      </p>
    </section>
  ))
}

/** How much of the case its judge can open, before it accepts and while it reads. */
function CanOpen({
  task,
  bundles,
  you,
}: {
  task: TaskDetailJson
  bundles: readonly PlacedBundle[]
  you: string | undefined
}) {
  const isJudge = [task.dispute?.judge, findAskedJudge(task.dispute)].some((each) => isSameAddress(each, you))
  const found = useOpenable(task.market, isJudge ? bundles.map(({ reference }) => reference) : [])
  if (!isJudge || bundles.length === 0) return null
  if (found === null) return <Note>{labels.signInToOpen}</Note>
  return found && <Note>{labels.canOpen(found.readable, found.all)}</Note>
}

/** The versions of the disputed milestone, and what the brief asked for. */
function Delivered({ task, deliveries }: { task: TaskDetailJson; deliveries: readonly Delivery[] }) {
  const disputed = deliveries.filter(({ milestone }) => milestone === task.currentMilestone)
  return (
    <section className="stack delivered-side">
      <h2 className="visually-hidden">{labels.delivered}</h2>
      {disputed.length === 0 && <p className="card pad soft">{labels.nothingDelivered}</p>}
      <DeliveryList task={task} deliveries={disputed} isReviewer={false} />
      {task.text && (
        <details className="card pad">
          <summary>{labels.brief}</summary>
          <Markdown of={task.text.criteria} />
        </details>
      )}
    </section>
  )
}

/** Both sides' shares on a line from nothing to everything. */
function ShareScale({ dispute: { offerBps, askBps } }: { dispute: DisputeJson }) {
  return (
    <div className="stack tight">
      <span className="small">{labels.scale}</span>
      <div className="scale" aria-hidden="true">
        <span
          className="scale-gap"
          style={{ left: percent(offerBps).replace(' ', ''), right: `${100 - askBps / 100}%` }}
        />
        <span className="scale-mark" style={{ left: `${offerBps / 100}%` }} />
        <span className="scale-mark" style={{ left: `${askBps / 100}%` }} />
      </div>
      <div className="row between small">
        {offerBps === askBps ? (
          <span>{labels.met(percent(askBps))}</span>
        ) : (
          <>
            <span>{labels.offer(percent(offerBps))}</span>
            <span>{labels.ask(percent(askBps))}</span>
          </>
        )}
      </div>
    </div>
  )
}

interface JudgesProps {
  dispute: DisputeJson
  market: Market
  you: string | undefined
}

function Judges({ dispute, market, you }: JudgesProps) {
  const { judge, named, posterProposal, workerProposal, posterSpoke, workerSpoke, ruledFor, appealed, phase } = dispute
  return (
    <section className="card pad stack">
      <h2 className="section-title">{labels.judgeTitle}</h2>
      {judge ? (
        <p className="row wrapping">
          <Gavel size={18} aria-hidden="true" /> <AddressLink of={judge} market={market} you={you} />
          {ruledFor && <span className="pill">{labels.ruledFor(ruledFor)}</span>}
        </p>
      ) : (
        <p>{phase === 'COURT' ? labels.court : labels.noJudge}</p>
      )}
      {appealed && <p className="soft">{labels.appealed}</p>}
      <ul className="stack tight small soft plain-list">
        {!judge && named && (
          <li className="row wrapping">
            {labels.named}: <AddressLink of={named} market={market} you={you} />
          </li>
        )}
        {!judge && posterProposal && (
          <li className="row wrapping">
            {labels.proposal.poster}: <AddressLink of={posterProposal} market={market} you={you} />
          </li>
        )}
        {!judge && workerProposal && (
          <li className="row wrapping">
            {labels.proposal.worker}: <AddressLink of={workerProposal} market={market} you={you} />
          </li>
        )}
        <li>{posterSpoke ? labels.spoke.poster : labels.silent.poster}</li>
        <li>{workerSpoke ? labels.spoke.worker : labels.silent.worker}</li>
      </ul>
    </section>
  )
}

/** The deadlines of the current phase and what follows each. Those of past phases are not shown. */
function Clocks({ dispute }: { dispute: DisputeJson }) {
  const now = useNow()
  const { phase } = dispute
  const clocks = [
    ['consent', dispute.consentEnd, phase === 'OPEN'],
    ['evidence', dispute.evidenceEnd, phase === 'OPEN' || phase === 'EVIDENCE' || now <= (dispute.evidenceEnd ?? 0)],
    ['ruling', dispute.rulingEnd, phase === 'EVIDENCE'],
    ['appeal', dispute.appealEnd, phase === 'RULED'],
    ['court', dispute.courtEnd, phase === 'COURT'],
  ] as const
  return (
    <section className="card pad stack court-facts">
      <h2 className="section-title">{labels.clocksTitle}</h2>
      <ol className="dispute-clocks">
        {clocks.map(([name, end, isRunning]) =>
          end !== null && isRunning ? (
            <li key={name} className={now <= end ? undefined : 'past'}>
              <div className="stack tight">
                <strong>{labels.clocks[name]}</strong>
                <span className="small soft">{labels.after[name]}</span>
              </div>
              <span className="dispute-left">
                {now <= end ? formatTimeSpan(end - now) : labels.over}
                <span className="tiny faint">{formatMoment(end, now)}</span>
              </span>
            </li>
          ) : null,
        )}
      </ol>
    </section>
  )
}

/** Who gets what: as it was ruled, or before that what either outcome would pay. */
function RulingTable({ dispute }: { dispute: DisputeJson }) {
  const { ruledFor, askBps, offerBps } = dispute
  const outcomes = (
    [
      ['worker', labels.ifWorker, askBps],
      ['poster', labels.ifPoster, offerBps],
    ] as const
  ).filter(([side]) => ruledFor === null || ruledFor === side)
  return (
    <section className="stack">
      <h2 className="section-title">{ruledFor === null ? labels.payTitle : labels.whoGets}</h2>
      <div className="outcomes">
        {outcomes.map(([side, label, share]) => {
          const { toWorker, toPoster, toCourt } = computeRulingPay(dispute, share)
          return (
            <div className="card pad stack" key={side}>
              <strong>{label}</strong>
              <dl className="facts">
                <dt>{labels.toWorker}</dt>
                <dd>
                  <Worth of={toWorker} />
                </dd>
                <dt>{labels.toPoster}</dt>
                <dd>
                  <Worth of={toPoster} />
                </dd>
                {toCourt > 0n && (
                  <>
                    <dt>{labels.toCourt}</dt>
                    <dd>
                      <Worth of={toCourt} />
                    </dd>
                  </>
                )}
              </dl>
            </div>
          )
        })}
      </div>
      <p className="small soft">{labels.loserPays}</p>
    </section>
  )
}
