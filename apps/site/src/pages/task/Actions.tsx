import type { TaskDetailJson } from '@svc/client'
import { Ellipsis } from 'lucide-react'
import { useId } from 'react'
import { taskText } from '../../text/task.ts'
import { formatShort } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import type { ArrangedSteps, Step } from './arrangeSteps.ts'
import { computeNetPay, labelStep } from './labelStep.ts'
import type { Viewer } from './viewer.ts'

interface ActionsProps {
  arranged: ArrangedSteps
  task: TaskDetailJson
  viewer: Viewer
  onChoose: (step: Step) => void
  /** Opens the form to apply, where workers need the poster's permit and can apply here. */
  onApply?: (() => void) | undefined
}

const formatTok = (wei: bigint) => formatShort(wei, 'tok')

/** One button for the step that moves the task on, two beside it, and a menu for the rest. */
export function Actions({ arranged, task, viewer, onChoose, onApply }: ActionsProps) {
  const { primary, secondary, more } = arranged
  const label = (step: Step) => labelStep(step, task, viewer, formatTok)
  if (onApply && primary?.required.includes('permit')) {
    return (
      <>
        <div className="action-bar">
          <Button look="primary" size="big" wide onClick={onApply}>
            {taskText.buttons.apply}
          </Button>
        </div>
        <div className="action-row">
          <Button onClick={() => onChoose(primary)}>{label(primary)}</Button>
          {[...secondary, ...more].length > 0 && (
            <More steps={[...secondary, ...more]} label={label} onChoose={onChoose} />
          )}
        </div>
        <Costs step={primary} task={task} canApply />
      </>
    )
  }
  return (
    <>
      {primary && (
        <div className="action-bar">
          <Button look="primary" size="big" wide onClick={() => onChoose(primary)}>
            {label(primary)}
          </Button>
        </div>
      )}
      {secondary.length === 0 ? (
        (primary || more.length > 0) && (
          <div className="row between">
            {primary && <Costs step={primary} task={task} />}
            {more.length > 0 && <More steps={more} label={label} onChoose={onChoose} />}
          </div>
        )
      ) : (
        <>
          {primary && <Costs step={primary} task={task} />}
          <div className="action-row">
            {secondary.map((step) => (
              <Button key={step.action} onClick={() => onChoose(step)}>
                {label(step)}
              </Button>
            ))}
            {more.length > 0 && <More steps={more} label={label} onChoose={onChoose} />}
          </div>
        </>
      )}
      <Hints steps={secondary} task={task} />
    </>
  )
}

/** What the step costs or locks. */
function Costs({ step, task, canApply = false }: { step: Step; task: TaskDetailJson; canApply?: boolean }) {
  const labels = taskText.costs
  const isThankless = step.action === 'claim-task' && computeNetPay(task, step.costs) <= 0n
  return (
    <div className="stack tight tiny soft costs-note">
      {isThankless && <p>{labels.feeEatsPay}</p>}
      {step.required.includes('permit') && <p>{canApply ? labels.applyFirst : labels.needsPermit}</p>}
      {step.costs.length === 0 ? (
        <p>{labels.none}</p>
      ) : (
        <ul className="plain-list">
          {step.costs.map(({ what, amount }) => (
            <li key={what + amount}>
              <strong>{amount}</strong> {labels.lines[what] ?? what}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What asking for changes and a dispute mean, where they are offered. */
function Hints({ steps, task }: { steps: readonly Step[]; task: TaskDetailJson }) {
  const labels = taskText.costs
  const stake = steps
    .find(({ action }) => action === 'open-dispute')
    ?.costs.find(({ what }) => what.startsWith('Stake'))
  const hints = [
    ...(steps.some(({ action }) => action === 'request-revision')
      ? [labels.revisionsLeft(task.maxRevisions - task.revisions)]
      : []),
    ...(stake ? [labels.disputeLocks(stake.amount)] : []),
  ]
  return hints.length > 0 ? <p className="tiny faint centred">{hints.join(' · ')}</p> : null
}

function More({
  steps,
  label,
  onChoose,
}: {
  steps: readonly Step[]
  label: (step: Step) => string
  onChoose: (step: Step) => void
}) {
  const id = useId()
  return (
    <span className="more-actions">
      <Button popoverTarget={id} aria-label={taskText.buttons.moreLabel} title={taskText.buttons.moreLabel}>
        <Ellipsis size={18} aria-hidden="true" />
      </Button>
      <div id={id} popover="auto" className="menu more-menu">
        {steps.map((step) => (
          <button
            key={step.action}
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            title={step.explain}
            onClick={() => onChoose(step)}
          >
            {label(step)}
          </button>
        ))}
      </div>
    </span>
  )
}
