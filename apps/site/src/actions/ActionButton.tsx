import { findAction } from '@svc/protocol/actions'
import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { text } from '../text/common.ts'
import { Button } from '../ui/Button.tsx'
import { useMarket } from '../useMarket.ts'
import { ActionForm, type ActionFormProps } from './ActionForm.tsx'
import '../style/page.css'

interface ActionButtonProps
  extends Pick<ActionFormProps, 'required' | 'offered' | 'start'>,
    Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'wide' | 'disabled'> {
  name: string
  /** Instead of the action's own verb. */
  label?: string
  /** The inputs that are known, besides the market. */
  known?: Readonly<Record<string, unknown>>
}

/** A button that opens the form of an action of this market. */
export function ActionButton({ name, label, known = {}, look, size, wide, disabled, ...form }: ActionButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const action = findAction(name)
  return (
    <>
      <Button look={look} size={size} wide={wide} disabled={disabled} onClick={() => setOpen(true)}>
        {label ?? action?.verb}
      </Button>
      {isOpen && <ActionDialog name={name} known={known} {...form} onClose={() => setOpen(false)} />}
    </>
  )
}

type ActionDialogProps = Pick<ActionButtonProps, 'name' | 'required' | 'offered' | 'start'> & {
  known: Readonly<Record<string, unknown>>
  onClose: () => void
}

function ActionDialog({ name, known, onClose, ...form }: ActionDialogProps) {
  const market = useMarket()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const action = findAction(name)
  return (
    <dialog ref={dialog} className="action-dialog" aria-labelledby={id} onClose={onClose}>
      <div className="stack loose">
        <h2 id={id}>{action?.title}</h2>
        <ActionForm name={name} known={{ market, ...known }} {...form} />
        <Button look="quiet" onClick={() => dialog.current?.close()}>
          {text.close}
        </Button>
      </div>
    </dialog>
  )
}
