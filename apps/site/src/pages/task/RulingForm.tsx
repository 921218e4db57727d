import type { DisputeJson, TaskDetailJson } from '@svc/client'
import { computeJudgeRisk, computeRulingPay, rulingFee } from '@svc/protocol/internal/money'
import { useState } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { courtText as labels } from '../../text/court.ts'
import { formatDollars, Worth } from '../../ui/Amount.tsx'
import { useName } from '../../usePerson.ts'
import { WorkActionForm } from '../../work/write/WorkActionForm.tsx'

interface RulingFormProps {
  task: TaskDetailJson
  dispute: DisputeJson
  opened: Omit<OpenedAction, 'openedAt'>
}

/** Picks one of the two numbers and gives reasons. Nothing covers the evidence. */
export function RulingForm({ task, dispute, opened }: RulingFormProps) {
  const [side, setSide] = useState<'poster' | 'worker' | null>(null)
  const names = {
    poster: useName(task.poster) ?? labels.names.poster,
    worker: useName(task.worker) ?? labels.names.worker,
  }
  const shares = { poster: dispute.offerBps, worker: dispute.askBps }
  return (
    <>
      <fieldset className="rulings">
        <legend className="small soft">{labels.choose}</legend>
        {(['poster', 'worker'] as const).map((each) => {
          const { toWorker, toPoster } = computeRulingPay(dispute, shares[each])
          return (
            <label key={each} className={side === each ? 'ruling chosen' : 'ruling'}>
              <span className="row between">
                <strong>{labels.number(names[each])}</strong>
                <input type="radio" name="ruling" checked={side === each} onChange={() => setSide(each)} />
              </span>
              <span className="row between wrapping">
                <span className="ruling-share">{labels.percent(shares[each])}</span>
                <span className="small soft ruling-pay">
                  <span>
                    {labels.gets(names.worker)} <Worth of={toWorker} />
                  </span>
                  <span>
                    {labels.getsBack(names.poster)} <Worth of={toPoster} />
                  </span>
                </span>
              </span>
              <span className="ruling-bar" aria-hidden="true">
                <span style={{ width: `${shares[each] / 100}%` }} />
              </span>
            </label>
          )
        })}
      </fieldset>
      <div className="ruling-case">
        <div>
          {side === null ? (
            <p className="small soft">{labels.chooseFirst}</p>
          ) : (
            <WorkActionForm
              task={task}
              {...opened}
              known={{ ...opened.known, forWorker: side === 'worker' }}
              submitLabel={labels.rule(names[side], labels.percent(shares[side]))}
            />
          )}
        </div>
        {opened.name === 'resolve-dispute' && <Risk dispute={dispute} />}
      </div>
    </>
  )
}

/** What the judge earns, has locked and can lose. */
function Risk({ dispute }: { dispute: DisputeJson }) {
  const { locked, burnt } = computeJudgeRisk(dispute)
  const { earns, locks, loses } = labels.risk
  return (
    <aside className="stack" aria-label={labels.risk.title}>
      <dl className="ruling-risk">
        <div>
          <dt>{earns[0]}</dt>
          <dd>{formatDollars(Number(rulingFee) / 1e6, 0)}</dd>
          <dd>{earns[1]}</dd>
        </div>
        <div>
          <dt>{locks[0]}</dt>
          <dd>
            <Worth of={locked} />
          </dd>
          <dd>{locks[1]}</dd>
        </div>
        <div>
          <dt>{loses[0]}</dt>
          <dd>
            <Worth of={burnt} />
          </dd>
          <dd>{loses[1]}</dd>
        </div>
      </dl>
      <p className="small soft">{labels.risk.wayOut}</p>
    </aside>
  )
}
