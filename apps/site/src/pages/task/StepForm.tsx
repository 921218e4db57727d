import type { TaskDetailJson } from '@svc/client'
import { useId, useState } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { useApi } from '../../api.ts'
import { setQuery, useLocation } from '../../router.tsx'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { WorkActionForm } from '../../work/write/WorkActionForm.tsx'
import { describeStep } from './describeStep.ts'
import { formTabs } from './formTabs.ts'
import { RulingForm } from './RulingForm.tsx'

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
