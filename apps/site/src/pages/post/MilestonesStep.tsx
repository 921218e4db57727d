import { maxMilestones } from '@svc/protocol/internal/money'
import { Plus, X } from 'lucide-react'
import { text } from '../../text/post.ts'
import { Amount, Usd } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { usePrice } from '../../usePrice.ts'
import { emptyMilestone, type MilestoneDraft, readAmount, sumMilestones } from './draft.ts'
import type { StepProps } from './step.ts'

const labels = text.milestones

/** What is delivered, for how much and in what time. */
export function MilestonesStep({ draft, change, problems }: StepProps) {
  const price = usePrice()
  const changeAt = (index: number, changes: Partial<MilestoneDraft>) =>
    change({ milestones: draft.milestones.map((each, at) => (at === index ? { ...each, ...changes } : each)) })
  return (
    <>
      <p className="soft">{labels.intro}</p>
      <fieldset className="row wrapping">
        <legend className="visually-hidden">{labels.unit}</legend>
        <span className="small soft">{labels.unit}</span>
        <span className="segments">
          {(['tok', 'usd'] as const).map((unit) => (
            <label key={unit}>
              <input
                type="radio"
                name="unit"
                checked={draft.unit === unit}
                disabled={unit === 'usd' && !price}
                onChange={() => change({ unit })}
              />
              {labels[unit]}
            </label>
          ))}
        </span>
      </fieldset>
      {draft.unit === 'usd' && !price && <Note tone="turn">{labels.noPrice}</Note>}
      {draft.milestones.map((milestone, index) => {
        const amount = readAmount(milestone.amount, draft.unit, price)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
          <fieldset key={index} className="milestone-draft">
            <legend>{labels.milestone(index + 1)}</legend>
            <TextField
              label={labels.deliverable}
              error={problems[`title-${index}`]}
              value={milestone.title}
              maxLength={120}
              onChange={(value) => changeAt(index, { title: value })}
            />
            <div className="milestone-numbers">
              <Field
                label={`${labels.amount}, ${draft.unit === 'tok' ? 'TOK' : 'USD'}`}
                error={problems[`amount-${index}`]}
                help={
                  amount !== null && (draft.unit === 'tok' ? <Usd of={amount} lead="≈ " /> : <Amount of={amount} />)
                }
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode="decimal"
                    value={milestone.amount}
                    onChange={({ target }) => changeAt(index, { amount: target.value })}
                  />
                )}
              </Field>
              <TextField
                label={labels.days}
                error={problems[`days-${index}`]}
                inputMode="decimal"
                value={milestone.days}
                onChange={(value) => changeAt(index, { days: value })}
              />
            </div>
            {draft.milestones.length > 1 && (
              <div>
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => change({ milestones: draft.milestones.toSpliced(index, 1) })}
                >
                  <X size={16} aria-hidden="true" />
                  {labels.remove(index + 1)}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      <div className="row between wrapping">
        {draft.milestones.length < maxMilestones && (
          <Button size="small" onClick={() => change({ milestones: [...draft.milestones, emptyMilestone] })}>
            <Plus size={16} aria-hidden="true" />
            {labels.add}
          </Button>
        )}
        <p>
          <span className="soft">{labels.total}</span>{' '}
          <strong>
            <Amount of={sumMilestones(draft, price)} usd />
          </strong>
        </p>
      </div>
    </>
  )
}
