import type { TaskDetailJson } from '@svc/client'
import { computeSettlementDigest, parseTaskTerms } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { useId, useState } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { useApi } from '../../api.ts'
import { getSigningContext } from '../../deployments.ts'
import { setQuery, useLocation } from '../../router.tsx'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { WorkActionForm } from '../../work/write/WorkActionForm.tsx'
import type { Step } from './card/types.ts'
import { RulingForm } from './RulingForm.tsx'
import { findViewer } from './viewer.ts'

/** The tab that has the form of a step. Every other step opens its receipt. */
export const formTabs: Readonly<Record<string, 'work' | 'dispute'>> = {
  'submit-proof': 'work',
  'request-revision': 'work',
  'open-dispute': 'work',
  'submit-evidence': 'dispute',
  'resolve-dispute': 'dispute',
  'decide-dispute': 'dispute',
}

interface StepFormProps {
  task: TaskDetailJson
  wallet: `0x${string}` | undefined
  tab: 'work' | 'dispute'
}

/** Rulings are open at once: whoever has to decide reads the case and its form in one go. */
const isDecision = (action: string): boolean => action === 'resolve-dispute' || action === 'decide-dispute'

/** The form of the step that the URL names, on its tab. It stays until it is closed, also when the task has moved on. */
export function StepForm({ task, wallet, tab }: StepFormProps) {
  const chosen = useLocation().searchParams.get('do')
  const isHere = chosen === null ? tab === 'dispute' : formTabs[chosen] === tab
  const found = useApi('listSteps', { id: task.id, address: wallet ?? '' }, wallet !== undefined && isHere)
  const [opened, setOpened] = useState<Omit<OpenedAction, 'openedAt'> | null>(null)
  const id = useId()
  const { steps = [] } = (wallet && found.body) || {}
  const step = steps.find(({ action }) => (chosen === null ? isDecision(action) : action === chosen))
  if (wallet && isHere && step && opened?.name !== step.action) setOpened(describeStep(step, task, wallet))
  const isOpen = opened !== null && isHere && (chosen === null ? isDecision(opened.name) : opened.name === chosen)
  if (!isOpen) return null
  return (
    <section className="card pad stack step-form" aria-labelledby={id}>
      <div className="row between">
        <h2 className="section-title" id={id}>
          {opened.title}
        </h2>
        {chosen !== null && (
          <Button look="quiet" size="small" onClick={() => setQuery({ do: null })}>
            {taskText.buttons.close}
          </Button>
        )}
      </div>
      {task.dispute && isDecision(opened.name) ? (
        <RulingForm task={task} dispute={task.dispute} opened={opened} />
      ) : (
        <WorkActionForm task={task} {...opened} />
      )}
    </section>
  )
}

/** What the form of a step knows already. */
export function describeStep(
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
export function describeOwnClaim(task: TaskDetailJson, wallet: `0x${string}`): Omit<OpenedAction, 'openedAt'> {
  const { name, title } = actions['claim-task']
  return { name, title, known: { taskId: task.id, settlementDigest: computeDigest(task, wallet) } }
}

/** Computed from the terms on this page, so that the user claims exactly what they saw. */
const computeDigest = (task: TaskDetailJson, wallet: `0x${string}`): string =>
  computeSettlementDigest(getSigningContext(task.market), parseTaskTerms(task.terms), wallet)
