import { Ellipsis } from 'lucide-react'
import { useId } from 'react'
import { cardText as labels } from '../../../text/card.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Connect } from '../../../wallet/Connect.tsx'
import type { CardAct } from './types.ts'

/** A button of the card. */
export function ActButton({
  act,
  onAct,
  isMain = false,
}: {
  act: CardAct
  onAct: (act: CardAct) => void
  isMain?: boolean
}) {
  const looks = isMain ? ({ look: 'primary', size: 'big', wide: true } as const) : {}
  if (act.do === 'connect') return <Connect big label={act.label} title={act.title} onConnected={() => onAct(act)} />
  if (act.do === 'link') {
    return (
      <ButtonLink href={act.href} {...looks}>
        {act.label}
      </ButtonLink>
    )
  }
  return (
    <Button onClick={() => onAct(act)} {...looks}>
      {act.label}
    </Button>
  )
}

/** Rare and costly steps. */
export function More({ acts, onAct }: { acts: readonly CardAct[]; onAct: (act: CardAct) => void }) {
  const id = useId()
  return (
    <span className="more-actions">
      <Button popoverTarget={id} aria-label={labels.moreLabel} title={labels.moreLabel}>
        <Ellipsis size={18} aria-hidden="true" />
      </Button>
      <div id={id} popover="auto" className="menu more-menu">
        {acts.map((act) => (
          <button
            key={act.label}
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            title={act.do === 'step' ? act.step.explain : undefined}
            onClick={() => onAct(act)}
          >
            {act.label}
          </button>
        ))}
      </div>
    </span>
  )
}
