import type { TaskDetailJson } from '@svc/client'
import { useEffect, useId, useRef } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { WorkActionForm } from '../../work/write/WorkActionForm.tsx'

interface ActionDialogProps {
  opened: OpenedAction
  task: TaskDetailJson
  onClose: () => void
}

/** The form of an action over the page. It stays open while a transaction is on its way. */
export function ActionDialog({ opened, task, onClose }: ActionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="action-dialog" aria-labelledby={id} onClose={onClose}>
      <div className="stack">
        <h2 id={id}>{opened.title}</h2>
        <WorkActionForm
          task={task}
          name={opened.name}
          known={opened.known}
          required={opened.required ?? []}
          offered={opened.offered ?? []}
          start={opened.start ?? {}}
        />
        <Button look="quiet" onClick={() => dialog.current?.close()}>
          {taskText.buttons.close}
        </Button>
      </div>
    </dialog>
  )
}
