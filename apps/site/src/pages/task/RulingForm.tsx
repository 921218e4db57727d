import type { DisputeJson, TaskDetailJson } from '@svc/client'
import { useState } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { useName } from '../../parts/useName.ts'
import { courtText as labels } from '../../text/court.ts'
import { Amount } from '../../ui/Amount.tsx'
import { WorkActionForm } from '../../work/write/WorkActionForm.tsx'
import { computeRulingPay } from './rulingPay.ts'

interface RulingFormProps {
  task: TaskDetailJson
  dispute: DisputeJson
  opened: Omit<OpenedAction, 'openedAt'>
}

/** Picks one of the two numbers and gives reasons. Nothing covers the evidence. */
export function RulingForm({ task, dispute, opened }: RulingFormProps) {
  const [side, setSide] = useState<'poster' | 'worker' | null>(null)
  const names = {
    poster: useName(task.poster, task.market) ?? labels.names.poster,
    worker: useName(task.worker, task.market) ?? labels.names.worker,
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
                    {labels.gets(names.worker)} <Amount of={toWorker} usd />
                  </span>
                  <span>
                    {labels.getsBack(names.poster)} <Amount of={toPoster} usd />
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
      {opened.name === 'resolve-dispute' && <p className="small soft">{labels.risk}</p>}
    </>
  )
}
